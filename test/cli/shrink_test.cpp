// SPDX-License-Identifier: Apache-2.0
//
// vireo shrink: commands that fail, take too long, or are interrupted; several runs at once; files that remain.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/program.h"
#include "cli/shrink/command_runner.h"

namespace vireo::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view module_with_calls = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
OpName %main "main"
%void = OpTypeVoid
%float = OpTypeFloat 32
%fn = OpTypeFunction %void
%one = OpConstant %float 1
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpFMul %float %one %one
%b = OpFAdd %float %a %a
%c = OpFSub %float %b %a
%d = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
%f = OpFunction %void None %fn
%only = OpLabel
OpReturn
OpFunctionEnd
)";

// It writes the product of its input to a buffer.
constexpr std::string_view shader = R"(; SPIR-V
; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpMemberDecorate %Block 1 Offset 4
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 2
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%fn = OpTypeFunction %void
%Block = OpTypeStruct %uint %uint
%ptr_block = OpTypePointer StorageBuffer %Block
%ptr_uint = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %ptr_block StorageBuffer
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%main = OpFunction %void None %fn
%entry = OpLabel
%from = OpAccessChain %ptr_uint %buffer %n0
%a = OpLoad %uint %from
%b = OpIMul %uint %a %a
%c = OpISub %uint %b %a
%d = OpUDiv %uint %c %a
%to = OpAccessChain %ptr_uint %buffer %n1
OpStore %to %b
OpReturn
OpFunctionEnd
)";

class ShrinkCommand : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    put("in.spvasm", module_with_calls);
    put("shader.spvasm", shader);
    std::filesystem::create_directory("tmp");
    ::setenv("TMPDIR", std::filesystem::absolute("tmp").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty("tmp"));  // no file remains
    ::unsetenv("TMPDIR");
    InFolder::TearDown();
  }
  // Runs a shell command for each module, whose name is "$0".
  static Ran shrink(const std::string& script, std::vector<std::string> options = {}) {
    std::vector<std::string> arguments = {"vireo", "shrink", "in.spvasm", "-o", "out.spvasm"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", "sh", "-c", script, "{}"});
    return call(arguments);
  }
};

TEST_F(ShrinkCommand, finds_what_a_command_needs) {
  const Ran ran = shrink("grep -q OpFAdd \"$0\"");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("bytes before"));
  EXPECT_THAT(ran.err, HasSubstr("runs of sh"));
  EXPECT_THAT(get("out.spvasm"), HasSubstr("OpFAdd"));
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpFMul")));
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpFunctionCall")));
}

TEST_F(ShrinkCommand, gives_the_same_result_with_several_jobs) {
  ASSERT_EQ(shrink("grep -q OpFunctionCall \"$0\"", {"-q"}).status, 0);
  const std::string one = get("out.spvasm");
  for (const std::string jobs : {"2", "5", "0"}) {
    const Ran ran = shrink("sleep 0.0$(($$ % 3)); grep -q OpFunctionCall \"$0\"", {"-q", "-j", jobs});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(get("out.spvasm"), one);
  }
}

TEST_F(ShrinkCommand, continues_with_its_result) {
  ASSERT_EQ(shrink("grep -q OpFAdd \"$0\"").status, 0);
  const std::string first = get("out.spvasm");
  ASSERT_EQ(call({"vireo", "shrink", "out.spvasm", "-o", "out.spvasm", "--", "grep", "-q", "OpFAdd", "{}"}).status, 0);
  EXPECT_EQ(get("out.spvasm"), first);
}

TEST_F(ShrinkCommand, writes_a_binary_and_names_its_files_alike) {
  const Ran ran = call({"vireo", "shrink", "in.spvasm", "-o", "out.spv", "--", "sh", "-c",
                        "case \"$0\" in *.spv) exit 0; esac; exit 1", "{}"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(get("out.spv"), HasSubstr("\x03\x02\x23\x07"));
}

TEST_F(ShrinkCommand, needs_a_command_that_succeeds_at_first) {
  const Ran failed = shrink("exit 7");
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.err, HasSubstr("sh failed for the input module (exited with status 7); expected exit status 0"));
  EXPECT_FALSE(exists("out.spvasm"));
  EXPECT_THAT(shrink("kill -9 $$").err, HasSubstr("killed by signal 9"));
  const Ran missing = call({"vireo", "shrink", "in.spvasm", "-o", "out.spv", "--", "./no-such-program", "{}"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.err, HasSubstr("cannot start ./no-such-program: No such file or directory [cannot-run]"));
}

TEST_F(ShrinkCommand, reports_wrong_usage) {
  const std::vector<std::string> rows[] = {
      {"vireo", "shrink"},
      {"vireo", "shrink", "in.spvasm", "-o", "out.spv"},
      {"vireo", "shrink", "in.spvasm", "--", "true", "{}"},
      {"vireo", "shrink", "in.spvasm", "-o", "-", "--", "true", "{}"},
      {"vireo", "shrink", "in.spvasm", "-o", "out.spv", "--", "true"},
      {"vireo", "shrink", "in.spvasm", "-o", "out.spv", "--target-env", "none", "--", "true", "{}"},
      {"vireo", "shrink", "in.spvasm", "-o", "out.spv", "--seed", "2", "--", "true", "{}"},
  };
  for (const std::vector<std::string>& row : rows) EXPECT_EQ(call(row).status, 2);
  EXPECT_EQ(call({"vireo", "shrink", "none.spv", "-o", "out.spv", "--", "true", "{}"}).status, 3);
  put("broken.spvasm", "OpNothing\n");
  EXPECT_EQ(call({"vireo", "shrink", "broken.spvasm", "-o", "out.spv", "--", "true", "{}"}).status, 1);
}

TEST_F(ShrinkCommand, reports_an_output_that_cannot_be_written) {
  const Ran ran = call({"vireo", "shrink", "in.spvasm", "-o", "none/out.spv", "--", "true", "{}"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("none/out.spv"));
}

// A process that ended remains as a zombie until init waits for it.
void expect_ended(pid_t process) {
  std::string state = "not read";
  for (int i = 0; i < 100 && !state.empty() && state.find(") Z ") == std::string::npos; ++i) {
    if (i != 0) ::usleep(10'000);
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    state.assign(std::istreambuf_iterator<char>(file), {});
  }
  EXPECT_TRUE(state.empty() || state.find(") Z ") != std::string::npos) << state;
}

// The command starts a process in the background, which must not survive.
TEST_F(ShrinkCommand, ends_runs_after_the_time_limit) {
  const Ran first = shrink("sleep 20", {"--timeout", "1"});
  EXPECT_EQ(first.status, 1);
  EXPECT_THAT(first.err, HasSubstr("timed out after 1 s"));
  CommandRunner runner({"sh", "-c", "sleep 20 & echo $! >\"$0\"; wait", "{}"}, {std::chrono::seconds(1), -1});
  const std::string files[] = {"process"};
  EXPECT_EQ(runner.run(files).front().kind, CommandEnd::Kind::TimedOut);
  expect_ended(std::stoi(get("process")));
}

TEST_F(ShrinkCommand, ends_what_a_run_has_left_running) {
  CommandRunner runner({"sh", "-c", "sleep 20 & echo $! >\"$0\"", "{}"}, {});
  const std::string files[] = {"process"};
  EXPECT_TRUE(runner.run(files).front().is_success());
  expect_ended(std::stoi(get("process")));
}

// The command interrupts its parent when it runs for the second time.
TEST_F(ShrinkCommand, keeps_the_best_module_after_an_interruption) {
  const Ran ran = shrink("grep -q OpFAdd \"$0\" || exit 1; grep -q OpFMul \"$0\" && exit 0; kill -INT $PPID; sleep 20");
  EXPECT_EQ(ran.status, 128 + SIGINT);
  EXPECT_THAT(ran.err, HasSubstr("interrupted"));
  const Ran at_first = shrink("kill -TERM $PPID; sleep 20");
  EXPECT_EQ(at_first.status, 128 + SIGTERM);
  EXPECT_THAT(at_first.err, HasSubstr("interrupted during the first run of sh; out.spvasm was not written"));
}

// The action of a signal during a test.
class SignalAction {
 public:
  SignalAction(int signal, sighandler_t action) : signal_(signal), before_(::signal(signal, action)) {}
  ~SignalAction() { ::signal(signal_, before_); }
  SignalAction(const SignalAction&) = delete;
  SignalAction& operator=(const SignalAction&) = delete;

 private:
  int signal_;
  sighandler_t before_;
};

// nohup ignores SIGHUP.
TEST_F(ShrinkCommand, does_not_wait_for_an_ignored_signal) {
  const SignalAction ignored(SIGHUP, SIG_IGN);
  const Ran ran = shrink("kill -HUP $PPID; grep -q OpFAdd \"$0\"");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpFMul")));
}

TEST_F(ShrinkCommand, works_for_a_parent_that_ignores_its_children) {
  const SignalAction ignored(SIGCHLD, SIG_IGN);
  const Ran ran = shrink("grep -q OpFAdd \"$0\"");
  EXPECT_EQ(ran.status, 0) << ran.err;
  struct sigaction action = {};
  ASSERT_EQ(::sigaction(SIGCHLD, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_IGN);  // as before
}

TEST_F(ShrinkCommand, notices_a_signal_between_two_runs) {
  CommandRunner runner({"true", "{}"}, {});
  const std::string files[] = {"file"};
  EXPECT_TRUE(runner.run(files).front().is_success());
  EXPECT_EQ(runner.interruption(), 0);
  ASSERT_EQ(::raise(SIGTERM), 0);
  const CommandEnd end = runner.run(files).front();
  EXPECT_EQ(end.kind, CommandEnd::Kind::Interrupted);
  EXPECT_EQ(end.number, SIGTERM);
  EXPECT_EQ(runner.count(), 1u);  // the second run was not started
  EXPECT_EQ(runner.interruption(), SIGTERM);
}

// TearDown() finds files that remain.
TEST_F(ShrinkCommand, removes_files_that_the_command_writes_beside_its_input) {
  EXPECT_EQ(shrink("echo >\"$0.log\"; mkdir -p \"$0.folder/inner\"; grep -q OpFAdd \"$0\"").status, 0);
}

TEST_F(ShrinkCommand, limits_jobs_and_the_time_limit) {
  const Ran ran = shrink("grep -q OpFAdd \"$0\"", {"-j", "1000000", "--timeout", "99999999999999"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

TEST_F(ShrinkCommand, shows_the_output_of_the_command_on_request) {
  const std::string script = "echo seen; grep -q OpFAdd \"$0\"";
  EXPECT_THAT(shrink(script, {"-v"}).err, HasSubstr("seen"));
  EXPECT_THAT(shrink(script).err, Not(HasSubstr("seen")));
}

// --- --same-result ----------------------------------------------------------------------------------------------------

Ran shrink_same(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"vireo", "shrink", "shader.spvasm", "-o", "out.spvasm", "--same-result"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return call(arguments);
}

TEST_F(ShrinkCommand, keeps_the_bytes_of_an_execution) {
  const Ran ran = shrink_same({"--buffer", "0.2=[7]"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("runs one workgroup of 1 x 1 x 1 invocations"));
  EXPECT_THAT(ran.err, HasSubstr("candidates must have no findings and leave the same bytes in 1 buffer (1 changed)"));
  EXPECT_THAT(ran.err, HasSubstr(" executions took "));
  EXPECT_THAT(ran.err, Not(HasSubstr("runs of")));
  EXPECT_THAT(get("out.spvasm"), HasSubstr("OpIMul"));
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpUDiv")));
}

TEST_F(ShrinkCommand, keeps_the_rules_of_findings) {
  const Ran ran = shrink_same({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("buffer 0.2 has no input: 8 bytes of zeros"));
  EXPECT_THAT(ran.err, HasSubstr("findings of the same rules: zero-divisor (--rule RULE=off ignores one)"));
  EXPECT_THAT(get("out.spvasm"), HasSubstr("OpUDiv"));
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpStore")));
  const std::string one = get("out.spvasm");
  EXPECT_EQ(shrink_same({"-q", "-j", "4"}).err, "");
  EXPECT_EQ(get("out.spvasm"), one);
}

TEST_F(ShrinkCommand, keeps_a_result_for_which_a_command_succeeds) {
  const Ran ran = shrink_same({"-j", "3", "--", "grep", "-q", "OpISub", "{}"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(" executions took "));
  EXPECT_THAT(ran.err, HasSubstr(" runs of grep took "));
  EXPECT_THAT(get("out.spvasm"), HasSubstr("OpISub"));
  EXPECT_THAT(get("out.spvasm"), HasSubstr("OpUDiv"));
  EXPECT_THAT(get("out.spvasm"), Not(HasSubstr("OpIMul")));
}

TEST_F(ShrinkCommand, ends_executions_after_an_interruption) {
  const Ran ran = shrink_same({"--", "sh", "-c", "grep -q OpIMul \"$0\" && exit 0; kill -INT $PPID; sleep 20", "{}"});
  EXPECT_EQ(ran.status, 128 + SIGINT);
  EXPECT_THAT(ran.err, HasSubstr("to continue, shrink out.spvasm"));
  std::filesystem::remove("out.spvasm");
  // The signal is pending when the execution begins.
  sigset_t blocked = {}, before = {};
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ASSERT_EQ(::raise(SIGTERM), 0);
  const Ran at_first = shrink_same({});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(at_first.status, 128 + SIGTERM);
  EXPECT_THAT(at_first.err, HasSubstr("interrupted during the first execution; out.spvasm was not written"));
  EXPECT_FALSE(exists("out.spvasm"));
}

}  // namespace
}  // namespace vireo::cli
