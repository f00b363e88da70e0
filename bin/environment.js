import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

// Everything that is loaded before the right Node is found must be readable by Node 20.9.

const isSecret = (name) =>
  /^(?:TILTH_|PG)|PASS|SECRET|TOKEN|CREDENTIAL|PRIVATE|(?:API|ACCESS)_?KEY/i.test(name)

/** What npm itself needs to reach a registry. */
const isForNpm = (name) => /^(?:npm_|NODE_AUTH_TOKEN$|(?:https?|all|no)_proxy$)/i.test(name)

/** An address with a password, such as a database's. */
const holdsPassword = (value) => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*:[^/?#]*@/i.test(value)

/** The environment for a program that needs none of our secrets. */
export const withoutSecrets = (environment) =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => isForNpm(name) || !(isSecret(name) || holdsPassword(value)),
    ),
  )

/**
 * Overwrites secrets where Linux shows them to others: /proc/<pid>/environ is the memory in which a process was given
 * its environment, and stays as it was however `process.env` changes. What `process.env` says remains, as a copy.
 * Elsewhere than on Linux this changes nothing.
 */
export function hideSecrets() {
  const given = textOf('/proc/self/environ')
  const entries = given.toString('latin1').split('\0')
  if (!entries.some((entry) => isSecret(nameOf(entry)))) return
  // set again, each is a copy elsewhere in memory, and nothing reads the original any more
  for (const [name, value] of Object.entries(process.env)) if (isSecret(name)) process.env[name] = value
  try {
    overwrite(startOfEnvironment(), entries)
  } catch (problem) {
    // a sandbox may forbid it; what is set works all the same
    process.stderr.write(
      `Secrets among the settings stay readable in /proc/${process.pid}/environ (${problem.message}).\n`,
    )
  }
}

function overwrite(begin, entries) {
  const memory = openSync('/proc/self/mem', 'r+')
  try {
    let at = begin
    for (const entry of entries) {
      if (isSecret(nameOf(entry))) writeSync(memory, Buffer.alloc(entry.length), 0, entry.length, at)
      at += entry.length + 1
    }
  } finally {
    closeSync(memory)
  }
}

const nameOf = (entry) => entry.slice(0, Math.max(0, entry.indexOf('=')))

/** The 50th of the numbers in proc_pid_stat(5); the second one is a name in brackets that may contain anything. */
function startOfEnvironment() {
  const stat = textOf('/proc/self/stat').toString('latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[47])
}

function textOf(file) {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}
