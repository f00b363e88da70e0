import { closeSync, constants, openSync, realpathSync, statSync } from 'node:fs'

/**
 * Landlock lets a program on Linux restrict its own access: https://docs.kernel.org/userspace-api/landlock.html. It
 * restricts the calling thread and its descendants, so a program that is to be confined as a whole is executed by a
 * confined thread.
 */

/** The access that remains. Paths that do not exist are left out. */
interface LandlockRules {
  /** Files and folders with their content, readable and executable. */
  readable: readonly string[]
  /** Files and folders, readable and writable but not executable. */
  writable: readonly string[]
  /** The only TCP port on which it may listen. Outgoing connections are never allowed. */
  port: number
}

/** One system call with numbers and memory as arguments. */
export type SystemCall = (
  number: number,
  ...args: readonly (number | Uint8Array)[]
) => { value: number; error: string }

/** The numbers are the same on every architecture since Linux 5.13. */
const landlockCalls = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const

const executeFile = 1 << 0
const writeFile = 1 << 1
const readFile = 1 << 2
const readFolder = 1 << 3
const removeFolder = 1 << 4
const removeFile = 1 << 5
const makeFolder = 1 << 7
const makeFile = 1 << 8
const makeSymbolicLink = 1 << 12
const moveAcrossFolders = 1 << 13
const truncateFile = 1 << 14
const controlDevice = 1 << 15

const forReading = executeFile | readFile | readFolder
const forWriting =
  writeFile |
  readFile |
  readFolder |
  removeFolder |
  removeFile |
  makeFolder |
  makeFile |
  makeSymbolicLink |
  moveAcrossFolders |
  truncateFile
/** The rights that apply to anything but folders. */
const forFiles = executeFile | writeFile | readFile | truncateFile | controlDevice

const bindTcp = 1
const connectTcp = 2
const abstractSockets = 1
const signals = 2

/** Before version 2 no file may be moved between folders, which the engine does with damaged parts. */
const leastVersion = 2
/** From this version on connections are restricted too. */
export const networkVersion = 4
/** From this version on abstract sockets and signals to processes outside are restricted too. */
export const scopeVersion = 6

/** Returns the version of this kernel, or why there is none. */
export function landlockVersion(call: SystemCall): { version: number } | { missing: string } {
  const { value, error } = call(landlockCalls.createRuleset, 0, 0, 1)
  if (value < 0) return { missing: error }
  return value < leastVersion ? { missing: `only version ${value}` } : { version: value }
}

/** Gives up all access but `rules`, permanently. The process must have `no_new_privs` set. */
export function restrictTo(rules: LandlockRules, version: number, call: SystemCall): void {
  const ruleset = callOrThrow(call, landlockCalls.createRuleset, rulesetFor(version), 24, 0)
  for (const path of rules.readable) allowPath(path, forReading, ruleset, { version, call })
  for (const path of rules.writable) allowPath(path, forWriting, ruleset, { version, call })
  if (version >= networkVersion) callOrThrow(call, landlockCalls.addRule, ruleset, 2, portRule(rules.port), 0)
  callOrThrow(call, landlockCalls.restrictSelf, ruleset, 0)
  closeSync(ruleset)
}

/** `struct landlock_ruleset_attr`; an older kernel requires the rest to be zero. */
function rulesetFor(version: number): Uint8Array {
  const words = new BigUint64Array(3)
  words[0] = BigInt(rightsIn(version))
  words[1] = version >= networkVersion ? BigInt(bindTcp | connectTcp) : 0n
  words[2] = version >= scopeVersion ? BigInt(abstractSockets | signals) : 0n
  return new Uint8Array(words.buffer)
}

/** All file rights of this version. */
function rightsIn(version: number): number {
  if (version >= 5) return (controlDevice << 1) - 1
  return version >= 3 ? (truncateFile << 1) - 1 : (moveAcrossFolders << 1) - 1
}

/** `struct landlock_path_beneath_attr`, which is packed. */
function allowPath(
  path: string,
  rights: number,
  ruleset: number,
  { version, call }: { version: number; call: SystemCall },
): void {
  const opened = openPath(path)
  if (opened === undefined) return
  const rule = new DataView(new ArrayBuffer(12))
  const known = rights & rightsIn(version)
  rule.setBigUint64(0, BigInt(opened.isFolder ? known : known & forFiles), isLittleEndian)
  rule.setInt32(8, opened.descriptor, isLittleEndian)
  callOrThrow(call, landlockCalls.addRule, ruleset, 1, new Uint8Array(rule.buffer), 0)
  closeSync(opened.descriptor)
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Opens a path without access to its content. Node has no constant for it. */
const pathOnlyFlag = 0o10000000

function openPath(path: string): { descriptor: number; isFolder: boolean } | undefined {
  try {
    const real = realpathSync(path)
    return {
      isFolder: statSync(real).isDirectory(),
      descriptor: openSync(real, pathOnlyFlag | constants.O_RDONLY),
    }
  } catch {
    return undefined
  }
}

function portRule(port: number): Uint8Array {
  return new Uint8Array(new BigUint64Array([BigInt(bindTcp), BigInt(port)]).buffer)
}

function callOrThrow(call: SystemCall, number: number, ...args: readonly (number | Uint8Array)[]): number {
  const { value, error } = call(number, ...args)
  if (value < 0) throw new Error(error)
  return value
}
