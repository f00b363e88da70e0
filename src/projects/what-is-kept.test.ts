import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  requireSignedIn,
  type TestProduct,
  password,
  present,
} from '#test/product/fixture'
import { operator } from './access'
import { requestOrigin } from './origin'

const address = '203.0.113.77'
const address6 = '2001:db8:1234:5678:9abc:def0:1234:5678'
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const newPassword = 'harbour thistle clock'
const wrongPassword = 'almost lantern orchard'

/** A day in the life of a project, with everything in it that must not be kept. Answers with all of that. */
async function aDayOf({ product, world }: TestProduct): Promise<Record<string, string>> {
  const origin = requestOrigin({ address, userAgent, requestId: 'req-1' })
  const origin6 = requestOrigin({ address: address6, userAgent, requestId: 'req-2' })
  const code = await product.signIn.setup.newCode()
  const form = { email: 'ana@acme.example', name: 'Ana Berg', password, project: 'Acme' }
  await product.signIn.setup.complete({ ...form, code: 'WRNG-CODE-2345' }, origin6)
  const { member } = requireDone(await product.signIn.setup.complete({ ...form, code }, origin))
  const signIn = (given: string) => product.signIn.signIn({ email: member.email, password: given }, origin)
  await signIn(wrongPassword)
  const session = requireSignedIn(await signIn(password))
  const elsewhere = requireSignedIn(await product.signIn.signIn({ email: member.email, password }, origin6))
  const viewer = present(await product.signIn.sessions.viewer(session.token, origin))
  requireDone(await product.signIn.confirm({ password }, viewer))
  const key = requireDone(await product.projects.keys.create(1, { name: 'CI', scopes: 'every' }, viewer))
  await product.projects.keys.viewer(key.text, origin6)
  const invitation = requireDone(await product.projects.invitations.create(1, { role: 'editor' }, viewer))
  const joining = { name: 'Ben Cole', email: 'ben@cole.example', password: newPassword }
  const joined = requireDone(
    await product.projects.invitations.acceptAsNew(invitation.token, joining, origin6),
  )
  requireDone(await product.projects.members.changePassword({ password: newPassword }, viewer))
  requireDone(
    await product.signIn.setup.provision({ project: 'Acme', secretKey: 'a-secret-from-outside' }, origin),
  )
  world.advance('1 hour')
  const welcome = await product.signIn.welcome(joined.member, origin)
  await product.signIn.sessions.end(present(await product.signIn.sessions.viewer(welcome.token, origin)))
  return {
    'the set-up code': code,
    'the set-up code as it is compared': code.replaceAll('-', ''),
    'a wrong set-up code': 'WRNGCODE2345',
    'the first session’s token': session.token,
    'another session’s token': elsewhere.token,
    'an ended session’s token': welcome.token,
    'the secret key': key.text,
    'the secret key without its name': key.text.replace('tilth_', ''),
    'a secret key from the environment': 'a-secret-from-outside',
    'the invitation’s token': invitation.token,
    'the password': password,
    'the new password': newPassword,
    'a wrong password': wrongPassword,
    'an IPv4 address': address,
    'an IPv6 address': address6,
    'the end of an IPv6 address': '9abc:def0',
    'the user agent': userAgent,
    'the browser’s version': 'Gecko',
  }
}

test('nothing that opens a door, and nothing that points at a person, is in any file of the store', async () => {
  const fixture = await openTestProduct()
  const secrets = Object.entries(await aDayOf(fixture))
  const files = readdirSync(fixture.folder).map((name) => readFileSync(join(fixture.folder, name)))
  const found = secrets.filter(([, secret]) => files.some((bytes) => contains(bytes, secret)))

  expect(found.map(([what]) => what)).toEqual([])
  // the search itself finds what is known to be there
  expect(files.some((bytes) => contains(bytes, 'ana@acme.example'))).toBe(true)
  expect(files.some((bytes) => contains(bytes, '203.0.113.0/24'))).toBe(true)
})

test('no entry of the log holds a secret, nor what is kept of one', async () => {
  const fixture = await openTestProduct()
  const secrets = Object.entries(await aDayOf(fixture))
  const entries = await fixture.product.projects.audit.list(1, { size: 500 }, operator())
  const log = JSON.stringify(entries)
  const hashes = fixture.database((file) =>
    [
      'select token_hash as hash from sessions',
      'select hash from secret_keys',
      'select token_hash as hash from invitations',
      'select password_hash as hash from members',
    ].flatMap((query) =>
      file
        .prepare(query)
        .all()
        .map((row) => String(row['hash'])),
    ),
  )

  expect(entries.length).toBeGreaterThan(10)
  expect(secrets.filter(([, secret]) => log.includes(secret)).map(([what]) => what)).toEqual([])
  expect(hashes.length).toBeGreaterThan(4)
  expect(hashes.filter((hash) => log.includes(hash))).toEqual([])
})

/** Finds a text as it is, in either case, or in a form that SQLite or JSON might make of it. */
function contains(bytes: Buffer, text: string): boolean {
  const hex = Buffer.from(text).toString('hex')
  const forms = [
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    hex,
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]
  return forms.some((form) => bytes.includes(form)) || bytes.includes(Buffer.from(text, 'utf16le'))
}
