// SPDX-License-Identifier: Apache-2.0
//
// own_time FILE COMMAND...: runs a command and writes its processor time, without that of its child processes, in
// microseconds to FILE. The exit status is that of the command, or 128 plus the signal.
//
// The kernel keeps the times of a process that has ended until its parent has waited for it, so the time is complete.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const pid_t process = fork();
  if (process == 0) {
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  siginfo_t info;
  if (process < 0 || waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0) return 2;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/schedstat", (int)process);
  unsigned long long nanoseconds = 0;
  FILE* file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%llu", &nanoseconds) != 1) return 2;
  fclose(file);
  file = fopen(arguments[1], "w");
  if (file == NULL) return 2;
  fprintf(file, "%llu\n", nanoseconds / 1000);
  fclose(file);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
