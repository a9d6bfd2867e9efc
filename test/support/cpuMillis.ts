/**
 * Milliseconds of processor time that something takes, done at once: unlike those of a clock, they hardly depend on what
 * else the machine does.
 */
export const cpuMillis = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}
