import { expect, test } from 'vitest'
import { type Config, type EnvironmentVariables, readConfig, settingNames } from './config'

const gigabyte = 1024 ** 3
const machine = () => ({ bytes: 4 * gigabyte, of: 'machine' }) as const

function configFrom(environment: EnvironmentVariables): Config {
  const reading = readConfig(environment, machine)
  if (!reading.readable) throw new Error(reading.problems.join('\n'))
  return reading.config
}

function problemsWith(environment: EnvironmentVariables): string[] {
  const reading = readConfig(environment, machine)
  return reading.readable ? [] : reading.problems
}

test('nothing has to be set', () => {
  expect(configFrom({})).toMatchObject({
    port: 3000,
    host: undefined,
    addressesAreGiven: false,
    engineUrl: undefined,
    storeUrl: undefined,
    trustedProxies: { by: 'nobody' },
    memoryBytes: 2 * gigabyte,
    owner: undefined,
    project: undefined,
    logLevel: 'info',
  })
})

test('a blank setting is one that is not set', () => {
  expect(configFrom({ PORT: '', TILTH_URL: ' ', TILTH_MEMORY: '' })).toEqual(configFrom({}))
})

test('the address follows the port unless it is given', () => {
  expect(configFrom({ PORT: '8080' }).addresses[0].origin).toBe('http://localhost:8080')
  expect(configFrom({ PORT: '8080', TILTH_URL: 'https://a.example' }).addresses[0].origin).toBe(
    'https://a.example',
  )
})

test.each<[EnvironmentVariables, Partial<Config>]>([
  [{ TILTH_DATA: '/var/lib/tilth/' }, { dataFolder: '/var/lib/tilth' }],
  [{ TILTH_MEMORY: '512m' }, { memoryBytes: gigabyte / 2 }],
  [{ TILTH_MEMORY: '1.5 GB' }, { memoryBytes: 1.5 * gigabyte }],
  [{ TILTH_MEMORY: '2GiB' }, { memoryBytes: 2 * gigabyte }],
  [{ TILTH_DISK: '1t' }, { diskBytes: 1024 * gigabyte }],
  [{ TILTH_SITE: '/srv/site/' }, { siteFolder: '/srv/site' }],
  [{}, { site: { settings: {}, reaches: undefined } }],
  [
    { TILTH_SITE_JOBS_TOKEN: 'abc', TILTH_SITE_FETCH: 'api.example.com' },
    { site: { settings: { JOBS_TOKEN: 'abc' }, reaches: 'api.example.com' } },
  ],
  [{ TILTH_TRUST_PROXY: '2' }, { trustedProxies: { by: 'hops', hops: 2 } }],
  [{ TILTH_TRUST_PROXY: '0' }, { trustedProxies: { by: 'nobody' } }],
  [{ TILTH_ENGINE: 'https://u:p@ch.example/tilth' }, { engineUrl: 'https://u:p@ch.example/tilth' }],
  [{ TILTH_STORE: 'postgres://u:p@pg.example/tilth' }, { storeUrl: 'postgres://u:p@pg.example/tilth' }],
  [{ TILTH_OUTBOUND_ALLOW: '10.1.0.0/16, hooks:9000' }, { outboundAllow: '10.1.0.0/16, hooks:9000' }],
  [
    { TILTH_SMTP: 'smtps://u:p@smtp.example', TILTH_MAIL_FROM: 'a@b.example' },
    {
      mail: {
        host: 'smtp.example',
        port: 465,
        isSecure: true,
        user: 'u',
        password: 'p',
        from: 'a@b.example',
      },
    },
  ],
  [{ PORT: '0' }, { port: 0 }],
  [{ TILTH_ENGINE: 'https://ch.example/tilth' }, { drainMs: 3000 }],
  [{ TILTH_STORE: 'postgres://pg.example/tilth' }, { drainMs: 0 }],
  [{ TILTH_DRAIN: '10' }, { drainMs: 10_000 }],
  [{}, { exactUpTo: 1_000_000 }],
  [{ TILTH_EXACT_UP_TO: '5000000' }, { exactUpTo: 5_000_000 }],
  [{ TILTH_EXACT_UP_TO: '0' }, { exactUpTo: undefined }],
  [{ TILTH_DRAIN: '0', TILTH_ENGINE: 'https://ch.example/tilth' }, { drainMs: 0 }],
  [
    { TILTH_OWNER_EMAIL: 'ana@example.com', TILTH_OWNER_PASSWORD: 'five unrelated words' },
    { owner: { email: 'ana@example.com', password: 'five unrelated words' } },
  ],
  [
    { TILTH_PROJECT: 'Acme', TILTH_PROJECT_KEY: 'phc_acme_key' },
    { project: { name: 'Acme', writeKey: 'phc_acme_key', secretKey: undefined } },
  ],
])('%o is understood', (environment, expected) => {
  expect(configFrom(environment)).toMatchObject(expected)
})

test('several addresses may be given, and the first is the one in links', () => {
  const { addresses } = configFrom({ TILTH_URL: 'https://a.example, http://b.example:8080/' })
  expect(addresses.map(({ origin }) => origin)).toEqual(['https://a.example', 'http://b.example:8080'])
})

const provider = {
  TILTH_OIDC_ISSUER: 'https://id.example.com',
  TILTH_OIDC_CLIENT_ID: 'tilth',
  TILTH_OIDC_CLIENT_SECRET: 'a secret',
}

const mistakes: [environment: EnvironmentVariables, says: RegExp][] = [
  [{ PORT: '80a' }, /^PORT is "80a" but must be a whole number from 0 to 65535\.$/],
  [{ PORT: '65536' }, /^PORT .* from 0 to 65535/],
  [{ PORT: '-1' }, /^PORT /],
  [{ TILTH_HOST: 'http://localhost' }, /^TILTH_HOST .*without a port/],
  [{ TILTH_DATA: 'a\0b' }, /^TILTH_DATA .*path of a folder/],
  [{ TILTH_SITE: 'a\0b' }, /^TILTH_SITE .*path of a folder/],
  [{ TILTH_URL: 'tilth.example.com' }, /^TILTH_URL is "tilth.example.com" but must be .*https:/],
  [{ TILTH_URL: 'https://a.example/tilth' }, /^TILTH_URL .*without a path/],
  [{ TILTH_URL: 'https://a.example,ftp://b.example' }, /^TILTH_URL /],
  [{ TILTH_URL: 'https://user:word@a.example' }, /^TILTH_URL /],
  [{ TILTH_PREVIEWS: 'sites.example.com' }, /^TILTH_PREVIEWS is "sites.example.com" but must be /],
  [{ TILTH_ENGINE: 'clickhouse.example.com' }, /^TILTH_ENGINE must look like https:/],
  [{ TILTH_STORE: 'mysql://a.example/tilth' }, /^TILTH_STORE must look like postgres:/],
  [{ TILTH_SITE_FETCH: 'https://a.example/b' }, /^TILTH_SITE_FETCH .*hosts and networks/],
  [{ TILTH_SITE_: 'a' }, /^TILTH_SITE_ is not a setting/],
  [{ TILTH_TRUST_PROXY: 'yes' }, /^TILTH_TRUST_PROXY .*number of proxies/],
  [{ TILTH_TRUST_PROXY: '10.0.0.0/33' }, /^TILTH_TRUST_PROXY /],
  [{ TILTH_MEMORY: 'lots' }, /^TILTH_MEMORY .*512m, 2g/],
  [{ TILTH_MEMORY: '100m' }, /^TILTH_MEMORY .*at least 512m/],
  [{ TILTH_DISK: '10' }, /^TILTH_DISK .*at least 1g/],
  [{ TILTH_OWNER_EMAIL: 'ana', TILTH_OWNER_PASSWORD: 'five unrelated words' }, /^TILTH_OWNER_EMAIL /],
  [{ TILTH_OWNER_EMAIL: 'a@b.example', TILTH_OWNER_PASSWORD: 'short' }, /^TILTH_OWNER_PASSWORD must be 12/],
  [{ TILTH_OWNER_EMAIL: 'a@b.example' }, /^TILTH_OWNER_EMAIL is set but TILTH_OWNER_PASSWORD is not/],
  [{ TILTH_PROJECT_KEY: 'phc_acme_key' }, /^TILTH_PROJECT_KEY is set but TILTH_PROJECT is not/],
  [{ TILTH_PROJECT: 'Acme', TILTH_PROJECT_KEY: 'with space' }, /^TILTH_PROJECT_KEY /],
  [{ TILTH_PROJECT: 'Acme', TILTH_PROJECT_SECRET: 'secret' }, /^TILTH_PROJECT_SECRET .*openssl/],
  [{ TILTH_PROJECT: 'A'.repeat(81) }, /^TILTH_PROJECT .*at most 80/],
  [{ TILTH_SMTP: 'smtp.example.com', TILTH_MAIL_FROM: 'a@b.example' }, /^TILTH_SMTP must look like smtp:/],
  [{ TILTH_SMTP: 'smtp://a.example', TILTH_MAIL_FROM: 'Tilth' }, /^TILTH_MAIL_FROM .*e-mail address/],
  [{ TILTH_SMTP: 'smtp://a.example' }, /^TILTH_SMTP is set but TILTH_MAIL_FROM is not/],
  [{ TILTH_OUTBOUND_ALLOW: '10.0.0.0/33' }, /^TILTH_OUTBOUND_ALLOW .*networks/],
  [{ TILTH_METRICS_TOKEN: 'short' }, /^TILTH_METRICS_TOKEN .*openssl/],
  [{ TILTH_BACKUP: 'ftp://old.example/tilth' }, /^TILTH_BACKUP is .* but must be the path of a folder, or/],
  [{ TILTH_BACKUP_EVERY: '10s' }, /^TILTH_BACKUP_EVERY is "10s" but must be a time of at least 5m/],
  [{ TILTH_BACKUP_KEEP: 'all' }, /^TILTH_BACKUP_KEEP is "all" but must name how many/],
  [{ TILTH_BACKUP_KEY_FILE: 'a\0b' }, /^TILTH_BACKUP_KEY_FILE .*path of a file/],
  [{ TILTH_S3_ENDPOINT: 's3.example.com' }, /^TILTH_S3_ENDPOINT .*https:\/\/s3\.example\.com/],
  [{ TILTH_S3_REGION: 'EU (Frankfurt)' }, /^TILTH_S3_REGION .*eu-central-1/],
  [
    { TILTH_UPLOADS: '/srv/uploads', TILTH_S3_KEY: 'k', TILTH_S3_SECRET: 's' },
    /^TILTH_UPLOADS .*s3:\/\/bucket\/path/,
  ],
  [{ TILTH_UPLOADS: 's3://bucket' }, /^TILTH_UPLOADS is set but TILTH_S3_KEY is not/],
  [{ TILTH_S3_KEY: 'AKIA' }, /^TILTH_S3_KEY is set but TILTH_S3_SECRET is not/],
  [
    { TILTH_S3_KEY: 'AKIA', TILTH_S3_SECRET: 'two words' },
    /^TILTH_S3_SECRET must be the secret of an access key/,
  ],
  [{ TILTH_DRAIN: '3s' }, /^TILTH_DRAIN is "3s" but must be a whole number of seconds from 0 to 300\.$/],
  [
    { TILTH_EXACT_UP_TO: 'all' },
    /^TILTH_EXACT_UP_TO is "all" but must be a whole number of persons; 0 always counts/,
  ],
  [{ TILTH_HSTS: 'perhaps' }, /^TILTH_HSTS is "perhaps" but must be yes or no\.$/],
  [{ TILTH_LOG: 'loud' }, /^TILTH_LOG is "loud" but must be one of debug, info, warn, error, silent\.$/],
  [{ TILTH_ULR: 'x' }, /^TILTH_ULR is not a setting. Did you mean TILTH_URL\?/],
  [{ TILTH_DATA_FOLDER: 'x' }, /^TILTH_DATA_FOLDER is not a setting/],
  [{ ...provider, TILTH_OIDC_ISSUER: 'http://id.example.com' }, /^TILTH_OIDC_ISSUER is .* must be an https/],
  [{ ...provider, TILTH_OIDC_CLIENT_ID: 'x'.repeat(501) }, /^TILTH_OIDC_CLIENT_ID is .* at most 500/],
  [{ ...provider, TILTH_OIDC_CLIENT_SECRET: 'x'.repeat(1001) }, /^TILTH_OIDC_CLIENT_SECRET must be/],
  [{ ...provider, TILTH_OIDC_NAME: 'x'.repeat(61) }, /^TILTH_OIDC_NAME is .* at most 60/],
  [{ ...provider, TILTH_OIDC_DOMAINS: 'example' }, /^TILTH_OIDC_DOMAINS is .* example.com/],
  [{ ...provider, TILTH_OIDC_JOIN: 'maybe' }, /^TILTH_OIDC_JOIN is .* yes or no/],
  [{ ...provider, TILTH_OIDC_REQUIRED: '1' }, /^TILTH_OIDC_REQUIRED is .* yes or no/],
  [{ ...provider, TILTH_OIDC_GROUPS_CLAIM: 'x'.repeat(201) }, /^TILTH_OIDC_GROUPS_CLAIM is .* claim/],
  [{ ...provider, TILTH_OIDC_ROLES: 'staff=acme:king' }, /^TILTH_OIDC_ROLES is .* analysts=acme:viewer/],
  [{ TILTH_OIDC_NAME: 'Acme ID' }, /^TILTH_OIDC_NAME is set but TILTH_OIDC_ISSUER is not/],
]

test.each(mistakes)('%o is refused with one sentence that says how to fix it', (environment, says) => {
  const problems = problemsWith(environment)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(says)
  expect(problems[0]).toMatch(/^[A-Z\d_]+ [^\n]+[.?]$/)
})

test('every setting that can be wrong has a mistake in the table above', () => {
  const covered = new Set(mistakes.flatMap(([environment]) => Object.keys(environment)))
  expect(settingNames.filter((name) => !covered.has(name))).toEqual([])
})

test('everything that is wrong is said at once', () => {
  expect(problemsWith({ PORT: 'x', TILTH_LOG: 'x', TILTH_NONSENSE: 'x' })).toHaveLength(3)
})

test('a secret is never repeated', () => {
  const secrets = {
    TILTH_OWNER_EMAIL: 'a@b.example',
    TILTH_OWNER_PASSWORD: 'hunter2',
    TILTH_PROJECT: 'Acme',
    TILTH_PROJECT_SECRET: 'hunter2',
    TILTH_METRICS_TOKEN: 'hunter2',
    TILTH_ENGINE: 'hunter2',
    TILTH_STORE: 'hunter2',
  }
  expect(problemsWith(secrets)).toHaveLength(5)
  expect(problemsWith(secrets).join(' ')).not.toContain('hunter2')
})
