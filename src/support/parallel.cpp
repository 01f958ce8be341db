// SPDX-License-Identifier: Apache-2.0
//
// Implements deliver_in_order() with one mutex, two condition variables, and one flag for each slot.
#include "support/parallel.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace vireo {

unsigned hardware_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

namespace detail {
namespace {

struct Progress {
  std::mutex mutex;
  std::condition_variable slot_free;   // a worker may start its job
  std::condition_variable slot_ready;  // the next result may be available
  std::size_t next = 0;                // first job that no worker has taken
  std::size_t delivered = 0;           // all jobs below this one are delivered
  std::vector<char> ready;             // by slot
};

}  // namespace

void run_in_order(std::size_t count, unsigned threads, std::size_t window, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& deliver) {
  Progress progress;
  progress.ready.resize(window);

  const auto worker = [&] {
    for (std::unique_lock lock(progress.mutex); progress.next < count;) {
      const std::size_t job = progress.next++;
      // Waits until the previous result of the slot has been delivered. This bounds the number of results that wait for
      // a slow job.
      progress.slot_free.wait(lock, [&] { return job < progress.delivered + window; });
      lock.unlock();
      work(job);
      lock.lock();
      progress.ready[job % window] = 1;
      progress.slot_ready.notify_one();
    }
  };

  std::vector<std::thread> workers;
  try {
    for (unsigned i = 0; i < threads && i < count; ++i) workers.emplace_back(worker);
  } catch (const std::system_error&) {
    // The system cannot create more threads, so the existing ones do the work.
  }
  // Without threads nothing is locked, and each result is delivered at once.
  if (workers.empty()) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
      deliver(i);
    }
    return;
  }

  for (std::unique_lock lock(progress.mutex); progress.delivered < count;) {
    const std::size_t slot = progress.delivered % window;
    progress.slot_ready.wait(lock, [&] { return progress.ready[slot] != 0; });
    progress.ready[slot] = 0;
    lock.unlock();
    deliver(progress.delivered);  // only this thread changes `delivered`
    lock.lock();
    ++progress.delivered;
    progress.slot_free.notify_all();
  }
  for (std::thread& thread : workers) thread.join();
}

}  // namespace detail
}  // namespace vireo
