import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import path from 'node:path'
import {
  restrictTo,
  landlockVersion,
  networkVersion,
  scopeVersion,
  type SystemCall,
} from './internal/landlock'

/** The confinement of the engine's process. */
export interface Confinement {
  /** The version of Landlock in force; absent if the kernel has none. */
  landlock?: number
  user: number
  /** Missing protections, in sentences for the operator. */
  weaknesses: string[]
}

/** One or more sentences for the operator. */
export function describeConfinement({ landlock, user, weaknesses }: Confinement): string {
  if (weaknesses.length > 0) return weaknesses.join(' ')
  return `The engine’s process runs as user ${user} and reaches no files but its own (Landlock ${landlock}). Not closed by this kernel: ${openWays(landlock)}.`
}

/** The ways out that no version of Landlock up to this one restricts. */
function openWays(landlock = 0): string {
  const always = 'UDP, and sockets in the file system that its user may write to'
  return landlock < scopeVersion ? `${always}; abstract sockets, and signals to its user’s processes` : always
}

/** The files, port and user that the engine's process needs from the machine. */
interface ConfinementNeeds {
  /** The folder of its configuration. */
  folder: string
  data: string
  /** The working folder and home of the engine, which is empty. */
  work: string
  port: number
  /** The program and its libraries. */
  programs: readonly string[]
}

/**
 * The user and group of the engine if Tilth is started as root. Systems assign this number to no user and no service:
 * https://systemd.io/UIDS-GIDS/.
 */
export const engineAccount = { user: 61_111, group: 61_111 }

type SystemAccount = typeof engineAccount

/** Files that programs on Linux read. None of them contains private data. */
const systemPaths = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/nix/store',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/usr/share/zoneinfo',
  '/dev/urandom',
  '/dev/random',
  '/proc/self',
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/proc/uptime',
  '/proc/loadavg',
  '/sys/devices/system/cpu',
  '/sys/devices/system/node',
  '/sys/fs/cgroup',
]

/**
 * Confines the calling process as far as this machine allows: its own user, no capabilities, no new privileges,
 * Landlock. It never fails; missing protections are listed in `weaknesses`. Threads of earlier code may still be
 * unconfined, so the caller executes the program again.
 */
export function confine(needs: ConfinementNeeds, call: SystemCall | undefined): Confinement {
  const weaknesses: string[] = []
  for (const folder of [needs.data, needs.work]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const landlock = call ? landlockVersion(call) : { missing: 'it exists on Linux alone' }
  const version = 'version' in landlock ? landlock.version : undefined

  if (process.geteuid?.() === 0 && call) weaknesses.push(...becomeOwnUser(needs, call))
  if ('missing' in landlock) weaknesses.push(noLandlockWarning(landlock.missing))
  else if (landlock.version < networkVersion) weaknesses.push(openNetworkWarning(landlock.version))

  call?.(callNumbersHere.prctl, setNoNewPrivileges, 1, 0, 0, 0)
  if (version !== undefined && call) {
    const readable = [...systemPaths, ...needs.programs, needs.folder]
    const writable = [needs.data, needs.work, '/dev/null']
    restrictTo({ readable, writable, port: needs.port }, version, call)
  }
  return { landlock: version, user: process.geteuid?.() ?? -1, weaknesses }
}

const noLandlockWarning = (reason: string): string =>
  `This kernel offers no Landlock (${reason}), so the engine’s process can read every file its user can.`

const openNetworkWarning = (version: number): string =>
  `Landlock ${version} does not restrict connections, so the engine’s process can reach the network.`

/** Changes the user and drops capabilities. Returns what prevented it. */
function becomeOwnUser(needs: ConfinementNeeds, call: SystemCall): string[] {
  try {
    allowPassage(needs, engineAccount)
    const closed = needs.programs.find((program) => !canRead(program, engineAccount))
    if (closed ?? !canTraverseTo(needs.folder, engineAccount))
      throw new Error(`user ${engineAccount.user} cannot reach ${closed ?? needs.folder}`)
    giveToAccount(needs, engineAccount)
    changeUser(engineAccount, call)
    return []
  } catch (problem) {
    giveToAccount(needs, { user: 0, group: 0 })
    dropCapabilities(call)
    const reason = problem instanceof Error ? problem.message : String(problem)
    return [`The engine’s process runs as root, because it could not become another user: ${reason}.`]
  }
}

/**
 * The data folder is accessible to its owner only. The engine's group gets the right to pass through it, without
 * listing it; the other entries are closed first.
 */
function allowPassage({ folder }: ConfinementNeeds, { group }: SystemAccount): void {
  const dataFolder = path.dirname(folder)
  const { uid, mode } = statSync(dataFolder)
  if (uid !== 0 || (mode & 0o077) !== 0) return
  for (const name of readdirSync(dataFolder)) closeToOthers(path.join(dataFolder, name))
  chownSync(dataFolder, 0, group)
  chmodSync(dataFolder, 0o710)
}

function closeToOthers(file: string): void {
  const stats = lstatSync(file)
  if (!stats.isSymbolicLink() && stats.gid !== engineAccount.group) chmodSync(file, stats.mode & 0o700)
}

/** Whether a user without capabilities can read a file. A missing file needs no reading. */
function canRead(file: string, account: SystemAccount): boolean {
  if (!existsSync(file)) return true
  const real = realpathSync(file)
  return canTraverseTo(real, account) && hasPermission(4, statSync(real), account)
}

const canTraverseTo = (file: string, account: SystemAccount): boolean =>
  foldersAbove(realpathSync(file)).every((folder) => hasPermission(1, statSync(folder), account))

function foldersAbove(file: string): string[] {
  const folder = path.dirname(file)
  return folder === file ? [] : [...foldersAbove(folder), folder]
}

/** `right` is as in the last digit of a mode: 4 to read, 1 to pass through. */
function hasPermission(right: number, { uid, gid, mode }: Stats, { user, group }: SystemAccount): boolean {
  const digit = uid === user ? mode >> 6 : gid === group ? mode >> 3 : mode
  return (digit & right) !== 0
}

/**
 * Gives the engine's files to its user. The folder around its configuration stays root's; otherwise the engine could
 * replace a file that root writes by a link.
 */
function giveToAccount({ folder, data, work }: ConfinementNeeds, { user, group }: SystemAccount): void {
  chownSync(folder, 0, group)
  chmodSync(folder, group === 0 ? 0o700 : 0o750)
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (file === data || file === work) chownRecursively(file, { user, group })
    else if (lstatSync(file).isFile()) lchownSync(file, user, group)
  }
}

function chownRecursively(file: string, { user, group }: SystemAccount): void {
  const stats = lstatSync(file)
  if (stats.isDirectory())
    for (const name of readdirSync(file)) chownRecursively(path.join(file, name), { user, group })
  if (stats.uid !== user || stats.gid !== group) lchownSync(file, user, group)
}

/** System call numbers, which differ between architectures. */
const callNumbers: Partial<Record<NodeJS.Architecture, { prctl: number; capset: number; fcntl: number }>> = {
  x64: { prctl: 157, capset: 126, fcntl: 72 },
  arm64: { prctl: 167, capset: 91, fcntl: 25 },
}

const callNumbersHere = callNumbers[process.arch] ?? { prctl: -1, capset: -1, fcntl: -1 }

const setDescriptorFlags = 2
const keepCapabilities = 8
const setNoNewPrivileges = 38
const dropFromBoundingSet = 24
const changeAmbientSet = 47
const raise = 2
const capabilitiesVersion3 = 0x20_08_05_22

/** The capability by which the engine lets queries yield to inserts: without it no thread's priority can change. */
const changePriority = 23

/** Changes the user. The only capability that stays is the one for thread priorities, if Tilth itself has it. */
function changeUser({ user, group }: SystemAccount, call: SystemCall): void {
  const keepsPriority = hasCapability(changePriority)
  if (keepsPriority) call(callNumbersHere.prctl, keepCapabilities, 1, 0, 0, 0)
  process.setgroups?.([])
  process.setgid?.(group)
  process.setuid?.(user)
  if (!keepsPriority) return
  const bit = 1 << changePriority
  const header = new Uint8Array(new Uint32Array([capabilitiesVersion3, 0]).buffer)
  call(callNumbersHere.capset, header, new Uint8Array(new Uint32Array([bit, bit, bit, 0, 0, 0]).buffer))
  call(callNumbersHere.prctl, changeAmbientSet, raise, changePriority, 0, 0)
}

function hasCapability(capability: number): boolean {
  const [, permitted = '0'] = /^CapPrm:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return ((BigInt(`0x${permitted}`) >> BigInt(capability)) & 1n) === 1n
}

/** Programs that root executes then have no capabilities either: root is an ordinary user that owns root's files. */
function dropCapabilities(call: SystemCall): void {
  for (let capability = 0; capability < 64; capability++) {
    if (call(callNumbersHere.prctl, dropFromBoundingSet, capability, 0, 0, 0).value < 0) return
  }
}

/** Keeps a file open that Node would close when this process executes another program. */
export function keepOpen(descriptor: number, call: SystemCall): void {
  call(callNumbersHere.fcntl, descriptor, setDescriptorFlags, 0)
}
