import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parseTargetAddress } from '#backups/target-address'
import { localPreviews } from '#projects/preview-address'
import {
  parseSnapshotRetention,
  type SnapshotRetention,
  defaultSnapshotRetention,
} from '#backups/snapshot-retention'
import { parseAllowlist } from '#outbound/allowlist'
import { type MailSettings, parseMailSender, parseSmtpUrl } from '#outbound/mailer'
import {
  type ObjectStorageAddress,
  type ObjectStorageService,
  parseBucketUrl,
  parseObjectStorageAddress,
} from '#outbound/object-storage-format'
import { type OidcSettings, readGroupRoles, readIssuer } from '#projects/oidc-settings'
import { minMemoryBytes, type Memory, memoryHere, usualMemoryShare } from './start/internal/memory'
import { nearestName } from '#projects/nearest-name'
import { readTrustedProxies, type TrustedProxies } from '#http/trusted-proxies'

/** All settings, read once when a process starts. */
export interface Config {
  port: number
  /** The network address to listen on; all addresses of the machine if absent. */
  host: string | undefined
  /** The absolute path of the folder with all of Tilth's data. */
  dataFolder: string
  /** The addresses of this Tilth; the first one is printed and used in links. */
  addresses: readonly [URL, ...URL[]]
  /** False if TILTH_URL is not set: then only this machine may open the pages. */
  addressesAreGiven: boolean
  /** The address below which each project’s site has a preview address. */
  previews: URL | undefined
  /** The address of a ClickHouse server; the embedded engine is used if absent. */
  engineUrl: string | undefined
  /** The address of a Postgres server; SQLite in the data folder is used if absent. */
  storeUrl: string | undefined
  trustedProxies: TrustedProxies
  /** For how long a front that is told to stop still answers, once it says that it is not ready. */
  drainMs: number
  /** The memory of all of Tilth's processes together. */
  memoryBytes: number
  /** The limit of the data folder; its disk's size if absent. */
  diskBytes: number | undefined
  /** The number of persons up to which answers count them one by one; always if absent. */
  exactUpTo: number | undefined
  /** The absolute path of a folder with posts and pages as files. */
  siteFolder: string | undefined
  /** A team's own settings for server components of that folder, and the hosts that they may reach. */
  site: { settings: Readonly<Record<string, string>>; reaches: string | undefined }
  owner: { email: string; password: string } | undefined
  project: { name: string; writeKey: string | undefined; secretKey: string | undefined } | undefined
  /** Addresses that may be reached besides the open internet. */
  outboundAllow: string | undefined
  mail: MailSettings | undefined
  /** An identity provider whose users may sign in. */
  oidc: OidcSettings | undefined
  logLevel: LogLevel
  metricsToken: string | undefined
  /** Whether browsers that use https are told to use only https. */
  sendsHsts: boolean
  /** The access to `s3://` addresses. */
  objectStorage: ObjectStorageService | undefined
  /** The bucket for pictures, in addition to a copy on each front's disk. */
  uploads: ObjectStorageAddress | undefined
  backup: BackupConfig
}

interface BackupConfig {
  /** The absolute path of a folder or `s3://bucket/prefix`; no backups are scheduled if absent. */
  place: string | undefined
  everyMs: number
  retention: SnapshotRetention
  /** The absolute path of the key file that encrypts backups. */
  keyFile: string | undefined
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

type ConfigReading = { readable: true; config: Config } | { readable: false; problems: string[] }

/** One setting: its meaning, its default, and how its text is parsed. */
interface SettingDefinition<Value = unknown> {
  meaning: string
  otherwise: string
  example: string
  /** Its value appears neither in messages nor in logs. */
  isSecret?: true
  reads: z.ZodType<Value, string>
}

/** All environment variables. A test compares docs/settings.md with this table. */
const settings = {
  PORT: {
    meaning: 'The one port everything is answered on; 0 takes any free one.',
    otherwise: '3000',
    example: '8080',
    reads: settingSchema((text) => wholeNumber(text, 0, 65_535), 'must be a whole number from 0 to 65535'),
  },
  TILTH_HOST: {
    meaning: 'The network address to listen on.',
    otherwise: 'every address of the machine',
    example: '127.0.0.1',
    reads: settingSchema(
      (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
      'must be an address of this machine without a port, or localhost',
    ),
  },
  TILTH_DATA: {
    meaning: 'The folder that everything Tilth keeps is in.',
    otherwise: './data',
    example: '/var/lib/tilth',
    reads: settingSchema(
      (text) => (text.includes('\0') ? undefined : resolve(text)),
      'must be the path of a folder, absolute or from where Tilth is started',
    ),
  },
  TILTH_URL: {
    meaning: 'The public address, or several with a comma between; the first is the one used in links.',
    otherwise: 'http://localhost with the port',
    example: 'https://tilth.example.com',
    reads: settingSchema(
      addresses,
      'must be one or more addresses such as https://tilth.example.com, without a path',
    ),
  },
  TILTH_PREVIEWS: {
    meaning:
      'The address below which each project’s site can be opened before it has a domain, by its slug. Needs a wildcard DNS record.',
    otherwise: 'that of TILTH_URL at localhost; none elsewhere',
    example: 'https://sites.example.com',
    reads: settingSchema(originUrl, 'must be an address such as https://sites.example.com, without a path'),
  },
  TILTH_ENGINE: {
    meaning: 'A ClickHouse server to use instead of the built-in one.',
    otherwise: 'the built-in engine',
    example: 'https://tilth:password@clickhouse.example.com:8443/tilth',
    isSecret: true,
    reads: settingSchema(
      (text) => addressOf(text, ['http:', 'https:']),
      'must look like https://user:password@host:8443/database',
    ),
  },
  TILTH_STORE: {
    meaning: 'A Postgres server to use instead of the built-in SQLite.',
    otherwise: 'SQLite in the data folder',
    example: 'postgres://tilth:password@postgres.example.com/tilth',
    isSecret: true,
    reads: settingSchema(
      (text) => addressOf(text, ['postgres:', 'postgresql:']),
      'must look like postgres://user:password@host/database',
    ),
  },
  TILTH_DRAIN: {
    meaning:
      'For how many seconds Tilth still answers after SIGTERM while /_tilth/ready answers 503, ' +
      'so that a load balancer sends no more; 0 to 300.',
    otherwise: '3 with TILTH_ENGINE, where there may be several fronts; else 0',
    example: '10',
    reads: settingSchema((text) => {
      const seconds = wholeNumber(text, 0, 300)
      return seconds === undefined ? undefined : seconds * 1000
    }, 'must be a whole number of seconds from 0 to 300'),
  },
  TILTH_TRUST_PROXY: {
    meaning:
      'Proxies trusted with the visitor’s address: the number of proxies in front, or their networks ' +
      '(`loopback` and `private` are known by name).',
    otherwise: 'no proxy is trusted',
    example: '1',
    reads: settingSchema(
      readTrustedProxies,
      'must be a number of proxies from 0 to 10, or networks such as 10.0.0.0/8, loopback, private',
    ),
  },
  TILTH_MEMORY: {
    meaning: 'How much memory all of Tilth may take, the engine included; at least 512m.',
    otherwise: 'half of the machine’s, or four fifths of the container’s',
    example: '2g',
    reads: settingSchema(
      (text) => bytes(text, minMemoryBytes),
      'must be an amount of at least 512m, such as 512m, 2g or 1.5g',
    ),
  },
  TILTH_DISK: {
    meaning: 'How large the data folder may grow; beyond it Tilth is not ready for new events.',
    otherwise: 'as large as its disk, less a reserve of 1 GB or 5 %',
    example: '50g',
    reads: settingSchema((text) => bytes(text, 1024 ** 3), 'must be an amount of at least 1g, such as 50g'),
  },
  TILTH_EXACT_UP_TO: {
    meaning:
      'Up to how many persons answers count them one by one. Above, they count within 0.5 % in far less memory, and say so; 0 always counts one by one.',
    otherwise: '1000000',
    example: '5000000',
    reads: settingSchema(
      (text) => wholeNumber(text, 0, Number.MAX_SAFE_INTEGER),
      'must be a whole number of persons; 0 always counts one by one',
    ),
  },
  TILTH_SITE: {
    meaning:
      'A folder of Markdown files: what is in its posts/ and pages/ is published beside what the studio has.',
    otherwise: 'the studio’s posts and pages alone',
    example: './site',
    reads: settingSchema(
      (text) => (text.includes('\0') ? undefined : resolve(text)),
      'must be the path of a folder, absolute or from where Tilth is started',
    ),
  },
  TILTH_SITE_FETCH: {
    meaning: 'The only hosts and networks that pages of the site folder may reach, with or without a port.',
    otherwise: 'the open internet, and nothing in the network of the server',
    example: 'api.example.com, localhost:1337',
    reads: settingSchema(
      (text) => (parseAllowlist(text) ? text : undefined),
      'must list hosts and networks, such as api.example.com, 10.1.0.0/16',
    ),
  },
  TILTH_OWNER_EMAIL: {
    meaning: 'Unattended first start: the owner’s e-mail address.',
    otherwise: 'asked for on the set-up page',
    example: 'ana@example.com',
    reads: settingSchema(emailAddress, 'must be an e-mail address such as ana@example.com'),
  },
  TILTH_OWNER_PASSWORD: {
    meaning: 'Unattended first start: the owner’s password, 12 to 128 characters.',
    otherwise: 'asked for on the set-up page',
    example: 'five unrelated words do well',
    isSecret: true,
    reads: settingSchema((text) => lengthBetween(text, 12, 128), 'must be 12 to 128 characters long'),
  },
  TILTH_PROJECT: {
    meaning: 'Unattended first start: the first project’s name; its URL slug is made from it.',
    otherwise: 'asked for on the set-up page',
    example: 'Acme',
    reads: settingSchema(
      (text) => lengthBetween(text.trim(), 1, 80),
      'must be a name of at most 80 characters',
    ),
  },
  TILTH_PROJECT_KEY: {
    meaning: 'That project’s public write key, the one trackers send.',
    otherwise: 'generated, shown in the project’s settings',
    example: 'phc_aKeyOfYourOwnChoosing',
    reads: settingSchema(
      (text) => (/^[\w.-]{6,200}$/.test(text) ? text : undefined),
      'must be 6 to 200 letters, digits, dots, dashes and underscores',
    ),
  },
  TILTH_PROJECT_SECRET: {
    meaning: 'A secret key with every scope of that project, for the management API.',
    otherwise: 'none; create one in the project’s settings',
    example: 'the output of: openssl rand -hex 32',
    isSecret: true,
    reads: settingSchema(
      (text) => (/^[\w.~+/=-]{20,200}$/.test(text) ? text : undefined),
      'must be 20 to 200 letters, digits and . _ ~ + / = - long; make one with: openssl rand -hex 32',
    ),
  },
  TILTH_SMTP: {
    meaning: 'The mail server for e-mails: alerts, reports, confirmations and password resets.',
    otherwise: 'no e-mails are sent',
    example: 'smtp://user:password@smtp.example.com:587',
    isSecret: true,
    reads: settingSchema(
      parseSmtpUrl,
      'must look like smtp://user:password@host:587, or smtps://… with port 465',
    ),
  },
  TILTH_MAIL_FROM: {
    meaning: 'The sender of e-mails.',
    otherwise: 'no e-mails are sent',
    example: 'Tilth <tilth@example.com>',
    reads: settingSchema(
      parseMailSender,
      'must be an e-mail address, or a name and an address such as Tilth <tilth@example.com>',
    ),
  },
  TILTH_OIDC_ISSUER: {
    meaning: 'The address of an OpenID Connect provider whose users may sign in.',
    otherwise: 'members sign in with passwords and passkeys',
    example: 'https://id.example.com',
    reads: settingSchema(
      readIssuer,
      'must be an https address without a query, as the provider names itself',
    ),
  },
  TILTH_OIDC_CLIENT_ID: {
    meaning: 'The name the provider knows Tilth by.',
    otherwise: 'no sign-in by a provider',
    example: 'tilth',
    reads: settingSchema((text) => lengthBetween(text, 1, 500), 'must be a text of at most 500 characters'),
  },
  TILTH_OIDC_CLIENT_SECRET: {
    meaning:
      'The secret shared with the provider. It sends people back to /studio/oidc/callback under the first TILTH_URL.',
    otherwise: 'no sign-in by a provider',
    example: 'as the provider shows it',
    isSecret: true,
    reads: settingSchema((text) => lengthBetween(text, 1, 1000), 'must be a text of at most 1000 characters'),
  },
  TILTH_OIDC_NAME: {
    meaning: 'What the button on the sign-in page calls the provider.',
    otherwise: 'single sign-on',
    example: 'Acme ID',
    reads: settingSchema((text) => lengthBetween(text, 1, 60), 'must be a name of at most 60 characters'),
  },
  TILTH_OIDC_DOMAINS: {
    meaning: 'Domains of e-mail addresses that may come in by the provider.',
    otherwise: 'every verified address',
    example: 'example.com, example.org',
    reads: settingSchema(domains, 'must be domains such as example.com, with a comma between'),
  },
  TILTH_OIDC_JOIN: {
    meaning: 'Whether a user of the provider becomes a member at the first sign-in: yes or no.',
    otherwise: 'no; an invitation to their address is needed',
    example: 'yes',
    reads: settingSchema(yesOrNo, 'must be yes or no'),
  },
  TILTH_OIDC_REQUIRED: {
    meaning: 'Whether the provider is the only way in: yes or no.',
    otherwise: 'no; passwords and passkeys work beside it',
    example: 'yes',
    reads: settingSchema(yesOrNo, 'must be yes or no'),
  },
  TILTH_OIDC_GROUPS_CLAIM: {
    meaning: 'The claim that holds a user’s groups.',
    otherwise: 'groups',
    example: 'roles',
    reads: settingSchema((text) => lengthBetween(text, 1, 200), 'must be the name of a claim'),
  },
  TILTH_OIDC_ROLES: {
    meaning:
      'What groups may do: group=project:role, with a comma between; the project by its URL slug. Applied at each sign-in.',
    otherwise: 'groups give no roles',
    example: 'analysts=acme:viewer, web-team=acme:editor',
    reads: settingSchema(readGroupRoles, 'must look like analysts=acme:viewer, web-team=acme:editor'),
  },
  TILTH_OUTBOUND_ALLOW: {
    meaning:
      'What webhooks may reach besides the open internet: networks, addresses, and hosts with or without a port.',
    otherwise: 'nothing',
    example: '10.1.0.0/16, hooks.internal:9000',
    reads: settingSchema(
      (text) => (parseAllowlist(text) ? text : undefined),
      'must be networks, addresses or hosts such as 10.1.0.0/16, hooks.internal:9000',
    ),
  },
  TILTH_UPLOADS: {
    meaning: 'A bucket where fronts share pictures of posts, with a path in it.',
    otherwise: 'the data folder, and Postgres where TILTH_STORE names one',
    example: 's3://acme-uploads/tilth',
    reads: settingSchema(
      (text) => (parseBucketUrl(text) ? text : undefined),
      'must look like s3://bucket/path',
    ),
  },
  TILTH_BACKUP: {
    meaning: 'Where backups are written: a folder, or s3:// with a bucket and a path in it.',
    otherwise: 'nothing is backed up by itself',
    example: 's3://acme-backups/tilth',
    reads: settingSchema(parseTargetAddress, 'must be the path of a folder, or look like s3://bucket/path'),
  },
  TILTH_BACKUP_EVERY: {
    meaning: 'How often a backup is made, in minutes, hours or days; at least 5m.',
    otherwise: '1d',
    example: '6h',
    reads: settingSchema(durationMs, 'must be a time of at least 5m, such as 30m, 6h or 1d'),
  },
  TILTH_BACKUP_KEEP: {
    meaning: 'Which backups stay: the last ones, and the newest of each of so many days, weeks and months.',
    otherwise: 'last=3 daily=7 weekly=5 monthly=12',
    example: 'last=10 daily=30',
    reads: settingSchema(
      parseSnapshotRetention,
      'must name how many of last, daily, weekly, monthly, such as last=3 daily=7',
    ),
  },
  TILTH_BACKUP_KEY_FILE: {
    meaning:
      'A file with 32 random bytes that encrypt backups. Keep a copy apart: nothing opens them without it.',
    otherwise: 'backups are not encrypted',
    example: '/etc/tilth/backup.key',
    reads: settingSchema(
      (text) => (text.includes('\0') ? undefined : resolve(text)),
      'must be the path of a file, absolute or from where Tilth is started',
    ),
  },
  TILTH_S3_ENDPOINT: {
    meaning: 'The server that s3:// addresses lead to.',
    otherwise: 'Amazon’s, of the region',
    example: 'https://s3.example.com',
    reads: settingSchema((text) => webAddress(text), 'must be an address such as https://s3.example.com'),
  },
  TILTH_S3_REGION: {
    meaning: 'The region that requests to it are signed for.',
    otherwise: 'us-east-1',
    example: 'eu-central-1',
    reads: settingSchema(
      (text) => (/^[a-z0-9-]{1,40}$/.test(text) ? text : undefined),
      'must be a name such as eu-central-1',
    ),
  },
  TILTH_S3_KEY: {
    meaning: 'The access key that requests to it are signed with.',
    otherwise: 's3:// addresses cannot be used',
    example: 'AKIAIOSFODNN7EXAMPLE',
    reads: settingSchema((text) => (/^\S{1,200}$/.test(text) ? text : undefined), 'must be an access key'),
  },
  TILTH_S3_SECRET: {
    meaning: 'The secret that belongs to the access key.',
    otherwise: 's3:// addresses cannot be used',
    example: 'as the service shows it',
    isSecret: true,
    reads: settingSchema(
      (text) => (/^\S{1,500}$/.test(text) ? text : undefined),
      'must be the secret of an access key',
    ),
  },
  TILTH_METRICS_TOKEN: {
    meaning: 'Who sends it as a bearer token may read /_tilth/metrics and the detail of /_tilth/ready.',
    otherwise: 'only this machine itself may',
    example: 'the output of: openssl rand -hex 32',
    isSecret: true,
    reads: settingSchema(
      (text) => (/^[\w.~+/=-]{16,200}$/.test(text) ? text : undefined),
      'must be 16 to 200 letters, digits and . _ ~ + / = - long; make one with: openssl rand -hex 32',
    ),
  },
  TILTH_HSTS: {
    meaning:
      'Whether pages that are served by https tell browsers to ask by https alone for a year (HSTS): yes or no.',
    otherwise: 'yes',
    example: 'no',
    reads: settingSchema(
      (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
      'must be yes or no',
    ),
  },
  TILTH_LOG: {
    meaning: 'How much is logged: debug, info, warn, error or silent.',
    otherwise: 'info',
    example: 'debug',
    reads: settingSchema(
      (text) => logLevels.find((level) => level === text),
      `must be one of ${logLevels.join(', ')}`,
    ),
  },
} satisfies Record<string, SettingDefinition>

/** A million persons take 82 MB in each count of them (decision 93). */
const defaultExactUpTo = 1_000_000

/** Load balancers look every second or two. */
const defaultDrainMs = 3000

type SettingName = keyof typeof settings
const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name)
export const settingNames = Object.keys(settings).filter(isSettingName)

type Values = { [Name in SettingName]?: z.output<(typeof settings)[Name]['reads']> }

/** Parses all settings, or lists all errors, one sentence each. It changes nothing. */
export function readConfig(
  environment: EnvironmentVariables,
  memory: () => Memory = memoryHere,
): ConfigReading {
  const texts = withoutBlanks(environment)
  const { values, problems } = readValues(texts)
  const all = [...unknownSettings(texts), ...problems, ...missingCompanions(texts)]
  return all.length > 0
    ? { readable: false, problems: all }
    : { readable: true, config: { ...buildConfig(values, memory), site: siteIn(texts) } }
}

/** Compose files write an unset variable as `TILTH_URL=`. */
const withoutBlanks = (environment: EnvironmentVariables): Map<string, string> =>
  new Map(
    Object.entries(environment).flatMap(([name, text]) =>
      text?.trim() ? [[name, text.trim()] as const] : [],
    ),
  )

function readValues(texts: ReadonlyMap<string, string>): { values: Values; problems: string[] } {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const name of settingNames) {
    const text = texts.get(name)
    if (text === undefined) continue
    const reading = settings[name].reads.safeParse(text)
    if (reading.success) values[name] = reading.data
    else
      problems.push(
        `${name}${displayValue(name, text)} ${reading.error.issues[0]?.message ?? 'cannot be read'}.`,
      )
  }
  return { values, problems }
}

function displayValue(name: SettingName, text: string): string {
  const setting: SettingDefinition = settings[name]
  return setting.isSecret ? '' : ` is ${JSON.stringify(text.slice(0, 200))} but`
}

/** A setting of a team's own, for its site folder. */
const siteSetting = /^TILTH_SITE_(?!FETCH$)([A-Z\d_]+)$/

function siteIn(texts: ReadonlyMap<string, string>): Config['site'] {
  const own = Array.from(texts, ([name, text]) => [siteSetting.exec(name)?.[1], text] as const)
  return {
    settings: Object.fromEntries(own.flatMap(([name, text]) => (name === undefined ? [] : [[name, text]]))),
    reaches: texts.get('TILTH_SITE_FETCH'),
  }
}

function unknownSettings(texts: ReadonlyMap<string, string>): string[] {
  const unknown = [...texts.keys()].filter(
    (name) => name.startsWith('TILTH_') && !isSettingName(name) && !siteSetting.test(name),
  )
  return unknown.map((name) => {
    const meant = nearestName(name, settingNames)
    return `${name} is not a setting.${meant ? ` Did you mean ${meant}?` : ''} All of them are in docs/settings.md.`
  })
}

/** Settings that have no effect without another. */
const dependentSettings: readonly (readonly [SettingName, needs: SettingName])[] = [
  ['TILTH_OWNER_EMAIL', 'TILTH_OWNER_PASSWORD'],
  ['TILTH_OWNER_PASSWORD', 'TILTH_OWNER_EMAIL'],
  ['TILTH_SMTP', 'TILTH_MAIL_FROM'],
  ['TILTH_MAIL_FROM', 'TILTH_SMTP'],
  ['TILTH_OIDC_ISSUER', 'TILTH_OIDC_CLIENT_ID'],
  ['TILTH_OIDC_CLIENT_ID', 'TILTH_OIDC_CLIENT_SECRET'],
  ['TILTH_OIDC_CLIENT_SECRET', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_NAME', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_DOMAINS', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_JOIN', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_REQUIRED', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_GROUPS_CLAIM', 'TILTH_OIDC_ISSUER'],
  ['TILTH_OIDC_ROLES', 'TILTH_OIDC_ISSUER'],
  ['TILTH_PROJECT_KEY', 'TILTH_PROJECT'],
  ['TILTH_PROJECT_SECRET', 'TILTH_PROJECT'],
  ['TILTH_UPLOADS', 'TILTH_S3_KEY'],
  ['TILTH_S3_KEY', 'TILTH_S3_SECRET'],
  ['TILTH_S3_SECRET', 'TILTH_S3_KEY'],
]

const missingCompanions = (texts: ReadonlyMap<string, string>): string[] =>
  dependentSettings
    .filter(([name, needs]) => texts.has(name) && !texts.has(needs))
    .map(([name, needs]) => `${name} is set but ${needs} is not: set both or neither.`)

function buildConfig(values: Values, memory: () => Memory): Omit<Config, 'site'> {
  const port = values.PORT ?? 3000
  const email = values.TILTH_OWNER_EMAIL
  const password = values.TILTH_OWNER_PASSWORD
  return {
    port,
    host: values.TILTH_HOST,
    dataFolder: values.TILTH_DATA ?? resolve('data'),
    addresses: values.TILTH_URL ?? [new URL(`http://localhost:${port}`)],
    addressesAreGiven: values.TILTH_URL !== undefined,
    previews: values.TILTH_PREVIEWS,
    engineUrl: values.TILTH_ENGINE,
    storeUrl: values.TILTH_STORE,
    trustedProxies: values.TILTH_TRUST_PROXY ?? { by: 'nobody' },
    drainMs: drainMsIn(values),
    memoryBytes: values.TILTH_MEMORY ?? usualMemoryShare(memory()),
    diskBytes: values.TILTH_DISK,
    exactUpTo: (values.TILTH_EXACT_UP_TO ?? defaultExactUpTo) || undefined,
    siteFolder: values.TILTH_SITE,
    owner: email && password ? { email, password } : undefined,
    project: projectIn(values),
    outboundAllow: values.TILTH_OUTBOUND_ALLOW,
    mail:
      values.TILTH_SMTP && values.TILTH_MAIL_FROM
        ? { ...values.TILTH_SMTP, from: values.TILTH_MAIL_FROM }
        : undefined,
    oidc: oidcIn(values),
    logLevel: values.TILTH_LOG ?? 'info',
    metricsToken: values.TILTH_METRICS_TOKEN,
    sendsHsts: values.TILTH_HSTS ?? true,
    objectStorage: objectStorageIn(values),
    uploads: uploadsIn(values),
    backup: backupIn(values),
  }
}

const projectIn = ({ TILTH_PROJECT, ...values }: Values): Config['project'] =>
  TILTH_PROJECT
    ? { name: TILTH_PROJECT, writeKey: values.TILTH_PROJECT_KEY, secretKey: values.TILTH_PROJECT_SECRET }
    : undefined

/** Without an engine of its own there is no second front to take over. */
const drainMsIn = ({ TILTH_DRAIN, TILTH_ENGINE }: Values): number =>
  TILTH_DRAIN ?? (TILTH_ENGINE ? defaultDrainMs : 0)

function uploadsIn(values: Values): Config['uploads'] {
  const service = objectStorageIn(values)
  return values.TILTH_UPLOADS && service
    ? parseObjectStorageAddress(values.TILTH_UPLOADS, service)
    : undefined
}

function objectStorageIn(values: Values): Config['objectStorage'] {
  const { TILTH_S3_KEY: accessKey, TILTH_S3_SECRET: secretKey, TILTH_S3_ENDPOINT: endpoint } = values
  if (!accessKey || !secretKey) return undefined
  return { endpoint, region: values.TILTH_S3_REGION ?? 'us-east-1', accessKey, secretKey }
}

const backupIn = (values: Values): BackupConfig => ({
  place: values.TILTH_BACKUP,
  everyMs: values.TILTH_BACKUP_EVERY ?? spanMs.d,
  retention: values.TILTH_BACKUP_KEEP ?? defaultSnapshotRetention,
  keyFile: values.TILTH_BACKUP_KEY_FILE,
})

function oidcIn(values: Values): OidcSettings | undefined {
  const { TILTH_OIDC_ISSUER: issuer, TILTH_OIDC_CLIENT_ID: clientId } = values
  const { TILTH_OIDC_CLIENT_SECRET: clientSecret } = values
  if (!issuer || !clientId || !clientSecret) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.TILTH_OIDC_NAME ?? 'single sign-on',
    domains: values.TILTH_OIDC_DOMAINS ?? [],
    mayJoin: values.TILTH_OIDC_JOIN === 'yes',
    isRequired: values.TILTH_OIDC_REQUIRED === 'yes',
    groupsClaim: values.TILTH_OIDC_GROUPS_CLAIM ?? 'groups',
    groupRoles: values.TILTH_OIDC_ROLES ?? [],
  }
}

/** The store's file is at the top of the data folder, where people who make backups expect it. */
export const storeSettings = ({ dataFolder, storeUrl }: Config): { folder: string; url?: string } => ({
  folder: dataFolder,
  url: storeUrl,
})

/**
 * The settings for mail, webhooks and sign-in in every process: what may be reached, and the addresses of this Tilth.
 */
export const outboundConfig = (
  config: Config,
  ownAddresses: readonly URL[],
): {
  allow: string | undefined
  canMail: boolean
  mail: MailSettings | undefined
  addresses: readonly string[]
  previews: string | undefined
  oidc: OidcSettings | undefined
} => ({
  allow: config.outboundAllow,
  canMail: config.mail !== undefined,
  mail: config.mail,
  addresses: ownAddresses.map(({ origin }) => origin),
  previews: config.previews?.origin ?? localPreviews(ownAddresses.map(({ origin }) => origin)),
  oidc: config.oidc,
})

export const engineFolder = ({ dataFolder }: Config): string => join(dataFolder, 'engine')

/** A parser returns undefined for an invalid value; `rule` then completes the sentence that begins with the name. */
function settingSchema<Value>(
  reader: (text: string) => Value | undefined,
  rule: string,
): z.ZodType<Value, string> {
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

function yesOrNo(text: string): 'yes' | 'no' | undefined {
  return text === 'yes' || text === 'no' ? text : undefined
}

function domains(text: string): string[] | undefined {
  const all = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  return all.length > 0 && all.every((one) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(one)) ? all : undefined
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

function bytes(text: string, least: number): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text) ?? []
  const amount = Math.floor(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN))
  return amount >= least ? amount : undefined
}

const spanMs = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 }

function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})\s*([mhd])$/.exec(text) ?? []
  const ms = Number(amount) * (unit === 'm' || unit === 'h' || unit === 'd' ? spanMs[unit] : Number.NaN)
  return ms >= 5 * spanMs.m ? ms : undefined
}

function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url && isWeb && url.search === '' && url.hash === '' && url.username === '' ? url : undefined
}

function addresses(text: string): readonly [URL, ...URL[]] | undefined {
  const urls = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((address) => originUrl(address))
  const [first, ...others] = urls.filter((url) => url !== undefined)
  return first && others.length === urls.length - 1 ? [first, ...others] : undefined
}

function originUrl(text: string): URL | undefined {
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
