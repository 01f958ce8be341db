// SPDX-License-Identifier: Apache-2.0
//
// Whole processes, including start-up, reading and writing: `vireo dis`, `as` and `val` compared with spirv-dis,
// spirv-as and spirv-val.
//
//   vireo_bench_processes [--quick]
//
// The lower bound for any program is measured in the same alternation: floor.cpp does everything but the work.
//
// A child's reported peak memory is at least that of its parent, because the child was the parent's
// process image until exec. So this program stays small: modules are created in a forked child, files are compared in
// chunks, and texts stay in files.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "corpus.h"
#include "measure.h"
#include "process.h"
#include "tables.h"
#include "test/outside.h"

namespace vireo::bench {
namespace {

namespace fs = std::filesystem;

constexpr double dis_peak_limit = 100e6;  // bytes
constexpr double as_peak_limit = 3;       // times its text
constexpr double val_peak_limit = 250e6;
constexpr std::uintmax_t header_bytes = 20;

struct SizeRow {
  std::size_t bytes;
  std::string_view archive;  // archive with a real module of about that size
  int ours, peers;           // repetitions
  double target_share;  // share of the targets in the table; 0: a small module, mostly start-up, with start_up_target
  bool quick;
};

constexpr std::array<SizeRow, 5> sizes = {{
    {2'000, "real", 101, 101, 0, true},
    {50'000, "real", 41, 41, 1, true},
    {500'000, "real", 21, 21, 1, true},
    {8'000'000, "large", 7, 5, 1, false},
    {47'000'000, "large", 5, 2, 1, false},
}};
constexpr double start_up_target = 2;

struct CommandRow {
  std::string_view name;
  std::string_view verb;    // verb of vireo; the peer's program is `spirv-` and the verb
  std::string_view option;  // empty: none
  double target;
};

constexpr std::array<CommandRow, 5> commands = {{
    {"dis", "dis", "", 10},
    {"dis --raw-id", "dis", "--raw-id", 15},
    {"as", "as", "", 5},
    {"as, raw ids", "as", "--preserve-numeric-ids", 5},
    {"val", "val", "", 8},
}};

struct Peer {
  std::string name;
  fs::path folder;
  bool is_newest;  // prints the same bytes as vireo
};

std::vector<Peer> find_peers() {
  std::vector<Peer> peers;
  if (const auto newest = outside::peers_folder()) peers.push_back({"newest", *newest / "bin", true});
  else std::fputs(fmt::format("{}\n", outside::no_peers).c_str(), stderr);
  if (fs::exists("/usr/bin/spirv-dis")) peers.push_back({"Debian", "/usr/bin", false});
  return peers;
}

Command with(Command command, std::initializer_list<std::string_view> more) {
  for (const std::string_view word : more) {
    if (!word.empty()) command.emplace_back(word);
  }
  return command;
}

Command command_of(const Peer& peer, const CommandRow& row) {
  return with(without_wrapper((peer.folder / fmt::format("spirv-{}", row.verb)).string()), {row.option});
}
Command our_command(const CommandRow& row) {
  return with({(fs::path(VIREO_BINARY_DIR) / "bin" / "vireo").string()}, {row.verb, row.option});
}

/// The command of the lower bound: reads the input and writes as many bytes as the answer has (floor.cpp).
Command floor_command(const CommandRow& row, const fs::path& from, const fs::path& answer, const fs::path& to) {
  Command command = {(fs::path(VIREO_BINARY_DIR) / "bin" / "vireo_bench_floor").string(), from.native()};
  if (row.verb == "val") return command;
  return with(std::move(command), {to.native(), std::to_string(fs::file_size(answer))});
}

/// Appends the input and, if there is one, the output.
Command on_files(Command command, const CommandRow& row, const fs::path& from, const fs::path& to) {
  if (row.verb == "val") return with(std::move(command), {from.native()});
  return with(std::move(command), {from.native(), "-o", to.native()});
}

bool convert(const Command& command, const fs::path& from, const fs::path& to) {
  return run_process(with(command, {from.native(), "-o", to.native()})).ok;
}

/// Whether two files have the same bytes after the first `skipped` ones. Reads in chunks to keep this process small.
bool same_files(const fs::path& a, const fs::path& b, std::uintmax_t skipped) {
  if (fs::file_size(a) != fs::file_size(b)) return false;
  std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
  left.seekg(static_cast<std::streamoff>(skipped));
  right.seekg(static_cast<std::streamoff>(skipped));
  std::array<char, 1 << 16> from_left{}, from_right{};
  while (left && right) {
    left.read(from_left.data(), from_left.size());
    right.read(from_right.data(), from_right.size());
    if (left.gcount() != right.gcount()) return false;
    if (std::memcmp(from_left.data(), from_right.data(), static_cast<std::size_t>(left.gcount())) != 0) return false;
  }
  return true;
}

/// Peak memory in MB. If it is below the peak of this process, only that upper bound is known.
std::string peak_text(const Samples& peak) {
  if (peak.empty()) return "-";
  rusage self{};
  getrusage(RUSAGE_SELF, &self);
  const double bound = static_cast<double>(self.ru_maxrss) * 1024;
  return fmt::format("{}{:.1f}", peak.median() <= bound ? "< " : "", std::max(bound, peak.median()) / 1e6);
}

/// Writes a synthetic module, in a forked child.
fs::path write_made(std::size_t bytes, const fs::path& folder) {
  const fs::path path = folder / fmt::format("made-{}.spv", bytes);
  const pid_t child = fork();
  if (child == 0) {
    const spirv::WordBuffer words = shader_like(bytes);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
    file.close();
    _exit(file ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return path;
}

fs::path module_of(const SizeRow& size, const fs::path& folder) {
  if (const auto files = modules_below(unpacked(size.archive)); !files.empty()) return nearest(files, size.bytes);
  return write_made(size.bytes, folder);
}

class Comparison {
 public:
  Comparison(fs::path folder, std::vector<Peer> peers) : folder_(std::move(folder)), peers_(std::move(peers)) {}

  void measure(const SizeRow& size) {
    const fs::path module = module_of(size, folder_);
    check_round_trip(module);
    for (const CommandRow& row : commands) {
      if (peers_.empty()) measure_pair(size, row, nullptr, module);
      for (const Peer& peer : peers_) measure_pair(size, row, &peer, module);
    }
  }
  [[nodiscard]] int status() const { return status_; }

 private:
  void wrong(std::string_view what, const fs::path& module) {
    print("{:<9} WRONG ANSWER: {}\n", size_text(fs::file_size(module)), what);
    status_ = 1;
  }

  void check_round_trip(const fs::path& module) {
    const Command dis = our_command(commands[1]), as = with(our_command(commands[3]), {"--exact"});
    if (!convert(dis, module, folder_ / "round.spvasm") ||
        !convert(as, folder_ / "round.spvasm", folder_ / "round.spv") ||
        !same_files(folder_ / "round.spv", module, 0)) {
      wrong("the text of the module gives another module", module);
    }
  }

  /// Compares our output with the peer's. The text must have the same bytes if the peer is the newest; the words after
  /// the header must always be equal.
  void check(const CommandRow& row, const Peer& peer, const fs::path& input, const fs::path& module) {
    const bool is_dis = row.verb == "dis";
    if (is_dis && !peer.is_newest) return;
    if (row.verb == "val") {
      const bool is_valid = run_process(on_files(our_command(row), row, input, {})).ok;
      if (is_valid != run_process(on_files(command_of(peer, row), row, input, {})).ok || !is_valid) {
        wrong(fmt::format("the module is not valid for us and {}", peer.name), module);
      }
      return;
    }
    if (!convert(our_command(row), input, folder_ / "ours") ||
        !convert(command_of(peer, row), input, folder_ / "peers")) {
      return wrong(fmt::format("{} fails", row.name), module);
    }
    if (!same_files(folder_ / "ours", folder_ / "peers", is_dis ? 0 : header_bytes)) {
      wrong(fmt::format("{} differs from {}", row.name, peer.name), module);
    }
  }

  void measure_pair(const SizeRow& size, const CommandRow& row, const Peer* peer, const fs::path& module) {
    const bool is_dis = row.verb == "dis";
    fs::path input = module;
    if (row.verb == "as") {
      // Each peer assembles the text that it printed: an old one lacks the newest names.
      const CommandRow& printer = row.option.empty() ? commands[0] : commands[1];
      input = folder_ / "input.spvasm";
      if (!convert(peer != nullptr ? command_of(*peer, printer) : our_command(printer), module, input)) {
        return wrong("no text to assemble", module);
      }
    }
    if (peer != nullptr) check(row, *peer, input, module);

    Samples ours, ours_wall, peers, peers_wall, peak, peers_peak, floor;
    const std::string ours_out = (folder_ / "ours").string(), peers_out = (folder_ / "peers").string();
    const fs::path floor_out = folder_ / "floor";
    for (int i = 0; i < size.ours; ++i) {
      const ProcessCost cost = run_process(on_files(our_command(row), row, input, ours_out));
      ours.add(cost.processor_seconds);
      ours_wall.add(cost.wall_seconds);
      peak.add(cost.peak_bytes);
      if (peer == nullptr || i >= size.peers) continue;
      const ProcessCost other = run_process(on_files(command_of(*peer, row), row, input, peers_out));
      peers.add(other.processor_seconds);
      peers_wall.add(other.wall_seconds);
      peers_peak.add(other.peak_bytes);
      floor.add(run_process(floor_command(row, input, ours_out, floor_out)).processor_seconds);
    }
    const double target = size.target_share > 0 ? row.target : start_up_target;
    const double limit = row.verb == "val" ? val_peak_limit
                         : is_dis          ? dis_peak_limit
                                           : as_peak_limit * static_cast<double>(fs::file_size(input));
    const bool is_start_up = size.target_share == 0;  // the program itself is most of the memory
    print("{:<9} {:<13} {:<7} {:>9} {:>9} {:>9} {:>9} {:>9}  {:>8} {:>7}  {:<14} {:<8} {}{}\n",
          size_text(fs::file_size(module)), row.name, peer != nullptr ? peer->name : "-", time_text(ours_wall.median()),
          time_text(peers_wall.median()), time_text(ours.median()), time_text(peers.median()),
          time_text(floor.median()), peak_text(peak), peak_text(peers_peak),
          ratio_text(ours.median(), peers.median(), target), ratio_text(floor.median(), peers.median(), 0),
          ratio_text(ours_wall.median(), peers_wall.median(), 0),
          !is_start_up && fs::file_size(module) > 4'000'000 && peak.median() > limit
              ? fmt::format("   memory > {:.0f} MB", limit / 1e6)
              : "");
  }

  fs::path folder_;
  std::vector<Peer> peers_;
  int status_ = 0;
};

}  // namespace
}  // namespace vireo::bench

int main(int argc, char** argv) {
  using namespace vireo::bench;
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  // On a disk, the file system affects short runs: when a file is created, ext4 inspects every file that was removed in
  // the last five seconds, and our output is a new file each time.
  const char* chosen = std::getenv("VIREO_BENCH_SCRATCH");
  const std::filesystem::path folder = std::filesystem::path(chosen != nullptr ? chosen : VIREO_BINARY_DIR) /
                                       fmt::format("bench-scratch-{}", static_cast<int>(getpid()));
  std::filesystem::create_directories(folder);

  print("\nWhole processes, in turns, medians\n\n");
  constexpr auto columns = "{:<9} {:<13} {:<7} {:>9} {:>9} {:>9} {:>9} {:>9}  {:>8} {:>7}  {:<14} {:<8} {}\n";
  print(columns, "module", "command", "peer", "ours", "peer", "ours", "peer", "floor", "ours", "peer", "ratio",
        "at most", "ratio");
  print(columns, "", "", "", "wall", "wall", "cpu", "cpu", "cpu", "peak MB", "peak MB", "cpu", "cpu", "wall");
  Comparison comparison(folder, find_peers());
  for (const SizeRow& size : sizes) {
    if (!quick || size.quick) comparison.measure(size);
  }
  std::filesystem::remove_all(folder);
  return comparison.status();
}
