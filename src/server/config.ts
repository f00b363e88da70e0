import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readAllowance } from '../outbound/allowance'
import { type MailSettings, readSender, readSmtp } from '../outbound/mailer'
import { leastMemory, type Memory, memoryHere, usualShare } from './memory'
import { nearest } from './nearest'
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies'

/** Everything that can be set from outside, read once when a process begins. */
export interface Config {
  port: number
  /** The network address to listen on; every one of the machine's when absent. */
  host: string | undefined
  /** An absolute path: everything Tilth owns on disk is in here. */
  dataFolder: string
  /** Where people and SDKs reach us; the first is the one we print and link to. */
  addresses: readonly [URL, ...URL[]]
  /** False while the address is only a guess: then nobody but this machine is expected. */
  addressesAreGiven: boolean
  /** The address of a ClickHouse server; the embedded engine when absent. */
  engineUrl: string | undefined
  /** The address of a Postgres server; SQLite in the data folder when absent. */
  storeUrl: string | undefined
  trustedProxies: TrustedProxies
  /** For all of Tilth's processes together. */
  memoryBytes: number
  /** How large the data folder may grow; as large as its disk when absent. */
  diskBytes: number | undefined
  /** An absolute path: posts and pages in files of the owner's own. */
  siteFolder: string | undefined
  owner: { email: string; password: string } | undefined
  project: { name: string; writeKey: string | undefined; secretKey: string | undefined } | undefined
  /** What may be reached besides the open internet. */
  outboundAllow: string | undefined
  mail: MailSettings | undefined
  logLevel: LogLevel
  metricsToken: string | undefined
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Readonly<Record<string, string | undefined>>

export type ConfigReading = { readable: true; config: Config } | { readable: false; problems: string[] }

/** One thing that can be set: what it means, what holds without it, and how its text is read. */
export interface Setting<Value = unknown> {
  meaning: string
  otherwise: string
  example: string
  /** Its value is never repeated, neither in a message nor in a log. */
  isSecret?: true
  reads: z.ZodType<Value, string>
}

/** The whole environment. docs/settings.md is held to this table by a test. */
export const settings = {
  PORT: {
    meaning: 'The one port everything is answered on; 0 takes any free one.',
    otherwise: '3000',
    example: '8080',
    reads: read((text) => wholeNumber(text, 0, 65_535), 'must be a whole number from 0 to 65535'),
  },
  TILTH_HOST: {
    meaning: 'The network address to listen on.',
    otherwise: 'every address of the machine',
    example: '127.0.0.1',
    reads: read(
      (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
      'must be an address of this machine without a port, or localhost',
    ),
  },
  TILTH_DATA: {
    meaning: 'The folder that everything Tilth keeps is in.',
    otherwise: './data',
    example: '/var/lib/tilth',
    reads: read(
      (text) => (text.includes('\0') ? undefined : resolve(text)),
      'must be the path of a folder, absolute or from where Tilth is started',
    ),
  },
  TILTH_URL: {
    meaning: 'The public address, or several with a comma between; the first is the one used in links.',
    otherwise: 'http://localhost with the port',
    example: 'https://tilth.example.com',
    reads: read(addresses, 'must be one or more addresses such as https://tilth.example.com, without a path'),
  },
  TILTH_ENGINE: {
    meaning: 'A ClickHouse server to use instead of the built-in one.',
    otherwise: 'the built-in engine',
    example: 'https://tilth:password@clickhouse.example.com:8443/tilth',
    isSecret: true,
    reads: read(
      (text) => addressOf(text, ['http:', 'https:']),
      'must look like https://user:password@host:8443/database',
    ),
  },
  TILTH_STORE: {
    meaning: 'A Postgres server to use instead of the built-in SQLite.',
    otherwise: 'SQLite in the data folder',
    example: 'postgres://tilth:password@postgres.example.com/tilth',
    isSecret: true,
    reads: read(
      (text) => addressOf(text, ['postgres:', 'postgresql:']),
      'must look like postgres://user:password@host/database',
    ),
  },
  TILTH_TRUST_PROXY: {
    meaning:
      'Whose word about a visitor’s address counts: the number of proxies in front, or their networks ' +
      '(`loopback` and `private` are known by name).',
    otherwise: 'nobody’s',
    example: '1',
    reads: read(
      readTrustedProxies,
      'must be a number of proxies from 0 to 10, or networks such as 10.0.0.0/8, loopback, private',
    ),
  },
  TILTH_MEMORY: {
    meaning: 'How much memory all of Tilth may take, the engine included; at least 512m.',
    otherwise: 'half of the machine’s, or four fifths of the container’s',
    example: '2g',
    reads: read(
      (text) => bytes(text, leastMemory),
      'must be an amount of at least 512m, such as 512m, 2g or 1.5g',
    ),
  },
  TILTH_DISK: {
    meaning: 'How large the data folder may grow; beyond it Tilth is not ready for new events.',
    otherwise: 'as large as its disk, less a reserve of 1 GB or 5 %',
    example: '50g',
    reads: read((text) => bytes(text, 1024 ** 3), 'must be an amount of at least 1g, such as 50g'),
  },
  TILTH_SITE: {
    meaning:
      'A folder of Markdown files: what is in its posts/ and pages/ is published beside what the studio has.',
    otherwise: 'the studio’s posts and pages alone',
    example: './site',
    reads: read(
      (text) => (text.includes('\0') ? undefined : resolve(text)),
      'must be the path of a folder, absolute or from where Tilth is started',
    ),
  },
  TILTH_OWNER_EMAIL: {
    meaning: 'First start with nobody at the keyboard: the owner’s e-mail address.',
    otherwise: 'asked for on the set-up page',
    example: 'ana@example.com',
    reads: read(emailAddress, 'must be an e-mail address such as ana@example.com'),
  },
  TILTH_OWNER_PASSWORD: {
    meaning: 'First start with nobody at the keyboard: the owner’s password, 12 to 128 characters.',
    otherwise: 'asked for on the set-up page',
    example: 'five unrelated words do well',
    isSecret: true,
    reads: read((text) => lengthBetween(text, 12, 128), 'must be 12 to 128 characters long'),
  },
  TILTH_PROJECT: {
    meaning:
      'First start with nobody at the keyboard: the first project’s name; its address part is made of it.',
    otherwise: 'asked for on the set-up page',
    example: 'Acme',
    reads: read((text) => lengthBetween(text.trim(), 1, 80), 'must be a name of at most 80 characters'),
  },
  TILTH_PROJECT_KEY: {
    meaning: 'That project’s public write key, the one trackers send.',
    otherwise: 'made up, shown in the project’s settings',
    example: 'phc_aKeyOfYourOwnChoosing',
    reads: read(
      (text) => (/^[\w.-]{6,200}$/.test(text) ? text : undefined),
      'must be 6 to 200 letters, digits, dots, dashes and underscores',
    ),
  },
  TILTH_PROJECT_SECRET: {
    meaning: 'A secret key with every scope of that project, for the management API.',
    otherwise: 'none; make one in the project’s settings',
    example: 'the output of: openssl rand -hex 32',
    isSecret: true,
    reads: read(
      (text) => (/^[\w.~+/=-]{20,200}$/.test(text) ? text : undefined),
      'must be 20 to 200 letters, digits and . _ ~ + / = - long; make one with: openssl rand -hex 32',
    ),
  },
  TILTH_SMTP: {
    meaning:
      'The mail server through which letters are sent: alerts, reports, questions whether they are wanted.',
    otherwise: 'no letters are sent',
    example: 'smtp://user:password@smtp.example.com:587',
    isSecret: true,
    reads: read(readSmtp, 'must look like smtp://user:password@host:587, or smtps://… with port 465'),
  },
  TILTH_MAIL_FROM: {
    meaning: 'Whom letters are from.',
    otherwise: 'no letters are sent',
    example: 'Tilth <tilth@example.com>',
    reads: read(
      readSender,
      'must be an e-mail address, or a name and an address such as Tilth <tilth@example.com>',
    ),
  },
  TILTH_OUTBOUND_ALLOW: {
    meaning:
      'What webhooks may reach besides the open internet: networks, addresses, and hosts with or without a port.',
    otherwise: 'nothing',
    example: '10.1.0.0/16, hooks.internal:9000',
    reads: read(
      (text) => (readAllowance(text) ? text : undefined),
      'must be networks, addresses or hosts such as 10.1.0.0/16, hooks.internal:9000',
    ),
  },
  TILTH_METRICS_TOKEN: {
    meaning: 'Who sends it as a bearer token may read /_tilth/metrics and the detail of /_tilth/ready.',
    otherwise: 'only this machine itself may',
    example: 'the output of: openssl rand -hex 32',
    isSecret: true,
    reads: read(
      (text) => (/^[\w.~+/=-]{16,200}$/.test(text) ? text : undefined),
      'must be 16 to 200 letters, digits and . _ ~ + / = - long; make one with: openssl rand -hex 32',
    ),
  },
  TILTH_LOG: {
    meaning: 'How much is logged: debug, info, warn, error or silent.',
    otherwise: 'info',
    example: 'debug',
    reads: read(
      (text) => logLevels.find((level) => level === text),
      `must be one of ${logLevels.join(', ')}`,
    ),
  },
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name)
export const settingNames = Object.keys(settings).filter(isSettingName)

type Values = { [Name in SettingName]?: z.output<(typeof settings)[Name]['reads']> }

/** Reads all of it or lists all that is wrong with it, one sentence each. Touches nothing. */
export function readConfig(environment: Environment, memory: () => Memory = memoryHere): ConfigReading {
  const given = withoutBlanks(environment)
  const { values, problems } = readValues(given)
  const all = [...unknownSettings(given), ...problems, ...contradictions(given)]
  return all.length > 0
    ? { readable: false, problems: all }
    : { readable: true, config: assembled(values, memory) }
}

/** `TILTH_URL=` is how compose files say "not set". */
const withoutBlanks = (environment: Environment): Map<string, string> =>
  new Map(
    Object.entries(environment).flatMap(([name, text]) =>
      text?.trim() ? [[name, text.trim()] as const] : [],
    ),
  )

function readValues(given: ReadonlyMap<string, string>): { values: Values; problems: string[] } {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const name of settingNames) {
    const text = given.get(name)
    if (text === undefined) continue
    const reading = settings[name].reads.safeParse(text)
    if (reading.success) values[name] = reading.data
    else problems.push(`${name}${shown(name, text)} ${reading.error.issues[0]?.message ?? 'cannot be read'}.`)
  }
  return { values, problems }
}

function shown(name: SettingName, text: string): string {
  const setting: Setting = settings[name]
  return setting.isSecret ? '' : ` is ${JSON.stringify(text.slice(0, 200))} but`
}

function unknownSettings(given: ReadonlyMap<string, string>): string[] {
  const unknown = [...given.keys()].filter((name) => name.startsWith('TILTH_') && !isSettingName(name))
  return unknown.map((name) => {
    const meant = nearest(name, settingNames)
    return `${name} is not a setting${meant ? `: did you mean ${meant}` : ''}? All of them are in docs/settings.md.`
  })
}

/** Settings that say nothing without another. */
const together: readonly (readonly [SettingName, needs: SettingName])[] = [
  ['TILTH_OWNER_EMAIL', 'TILTH_OWNER_PASSWORD'],
  ['TILTH_OWNER_PASSWORD', 'TILTH_OWNER_EMAIL'],
  ['TILTH_SMTP', 'TILTH_MAIL_FROM'],
  ['TILTH_MAIL_FROM', 'TILTH_SMTP'],
  ['TILTH_PROJECT_KEY', 'TILTH_PROJECT'],
  ['TILTH_PROJECT_SECRET', 'TILTH_PROJECT'],
]

const contradictions = (given: ReadonlyMap<string, string>): string[] =>
  together
    .filter(([name, needs]) => given.has(name) && !given.has(needs))
    .map(([name, needs]) => `${name} is set but ${needs} is not: set both or neither.`)

function assembled(values: Values, memory: () => Memory): Config {
  const port = values.PORT ?? 3000
  const email = values.TILTH_OWNER_EMAIL
  const password = values.TILTH_OWNER_PASSWORD
  return {
    port,
    host: values.TILTH_HOST,
    dataFolder: values.TILTH_DATA ?? resolve('data'),
    addresses: values.TILTH_URL ?? [new URL(`http://localhost:${port}`)],
    addressesAreGiven: values.TILTH_URL !== undefined,
    engineUrl: values.TILTH_ENGINE,
    storeUrl: values.TILTH_STORE,
    trustedProxies: values.TILTH_TRUST_PROXY ?? { by: 'nobody' },
    memoryBytes: values.TILTH_MEMORY ?? usualShare(memory()),
    diskBytes: values.TILTH_DISK,
    siteFolder: values.TILTH_SITE,
    owner: email && password ? { email, password } : undefined,
    project: values.TILTH_PROJECT
      ? {
          name: values.TILTH_PROJECT,
          writeKey: values.TILTH_PROJECT_KEY,
          secretKey: values.TILTH_PROJECT_SECRET,
        }
      : undefined,
    outboundAllow: values.TILTH_OUTBOUND_ALLOW,
    mail:
      values.TILTH_SMTP && values.TILTH_MAIL_FROM
        ? { ...values.TILTH_SMTP, from: values.TILTH_MAIL_FROM }
        : undefined,
    logLevel: values.TILTH_LOG ?? 'info',
    metricsToken: values.TILTH_METRICS_TOKEN,
  }
}

/** The store's file lies at the top of the data folder, where a person who makes backups finds it. */
export const storeSettings = ({ dataFolder, storeUrl }: Config): { folder: string; url?: string } => ({
  folder: dataFolder,
  url: storeUrl,
})

/** What every process has to know of how letters and webhooks leave the house, and where it is. */
export const reachingOut = (
  config: Config,
): { allow: string | undefined; canMail: boolean; addresses: readonly string[] } => ({
  allow: config.outboundAllow,
  canMail: config.mail !== undefined,
  addresses: config.addresses.map(({ origin }) => origin),
})

export const engineFolder = ({ dataFolder }: Config): string => join(dataFolder, 'engine')

/** A reader answers undefined to what it cannot read; `rule` then ends the sentence that begins with the name. */
function read<Value>(reader: (text: string) => Value | undefined, rule: string): z.ZodType<Value, string> {
  return z.string().transform((text, context): Value => {
    const value = reader(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : undefined
}

const lengthBetween = (text: string, least: number, most: number): string | undefined =>
  Array.from(text).length >= least && text.length <= most ? text : undefined

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

function bytes(text: string, least: number): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text) ?? []
  const amount = Math.floor(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN))
  return amount >= least ? amount : undefined
}

function addresses(text: string): readonly [URL, ...URL[]] | undefined {
  const urls = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((address) => bareAddress(address))
  const [first, ...others] = urls.filter((url) => url !== undefined)
  return first && others.length === urls.length - 1 ? [first, ...others] : undefined
}

function bareAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const isBare = url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return url && isWeb && isBare ? url : undefined
}

function addressOf(text: string, protocols: readonly string[]): string | undefined {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) && url.hostname !== '' ? text : undefined
}

function emailAddress(text: string): string | undefined {
  const { success, data } = z.email().max(254).safeParse(text)
  return success ? data : undefined
}
