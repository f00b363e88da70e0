import { describe, expect, onTestFinished, test } from 'vitest'
import { aMailServer, type TestMailServer } from '#test/outside/smtp'
import { Mailer, parseMailSender, parseSmtpUrl } from './mailer'

const letter = {
  to: 'ana@example.com',
  subject: 'Views fell',
  text: 'They fell by 30 %.',
  html: '<p>They fell by 30&nbsp;%.</p>',
}

describe('letters', () => {
  test('one arrives in both forms, with the way out of it', async () => {
    const server = await aMailServer()
    const unsubscribe = 'https://tilth.example/_tilth/letters/token'

    expect(await aMailer(server).send({ ...letter, unsubscribe })).toEqual({ posted: true })

    const [received] = server.letters
    expect(received).toMatchObject({ from: 'tilth@example.com', to: ['ana@example.com'] })
    expect(received?.raw).toMatch(/^From: Tilth <tilth@example\.com>\r$/m)
    expect(received?.raw).toMatch(/^List-Unsubscribe: <https:\/\/tilth\.example\/_tilth\/letters\/token>\r$/m)
    expect(received?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(received?.raw).toContain('Content-Type: text/plain')
    expect(received?.raw).toContain('Content-Type: text/html')
  })

  test.each([
    ['a line break', 'Views\r\nBcc: eve@example.com'],
    ['a lone line feed', 'Views\nBcc: eve@example.com'],
    ['a lone carriage return', 'Views\rBcc: eve@example.com'],
    ['a separator of lines', 'Views\u2028Bcc: eve@example.com'],
    ['the end of a letter', 'Views\r\n\r\n.\r\nMAIL FROM:<eve@example.com>'],
  ])('a subject with %s in it stays one', async (_, subject) => {
    const server = await aMailServer()

    await aMailer(server).send({ ...letter, subject, text: 'Fine.\r\n.\r\nRCPT TO:<eve@example.com>\r\n' })

    expect(server.letters).toHaveLength(1)
    expect(server.letters[0]?.to).toEqual(['ana@example.com'])
    expect(server.letters[0]?.raw).not.toMatch(/^(?:Bcc|MAIL FROM)/im)
  })

  test.each([
    'ana@example.com, eve@example.com',
    'ana@example.com\r\nBcc: eve@example.com',
    '"ana@example.com" <eve@example.com>',
    'ana@example.com>\r\nRCPT TO:<eve@example.com',
    'ana',
    '',
  ])('%j is no one’s address', async (to) => {
    const server = await aMailServer()

    expect(await aMailer(server).send({ ...letter, to })).toMatchObject({ posted: false, isFinal: true })
    expect(server.letters).toEqual([])
  })

  test.each([
    ['550 No such mailbox', true],
    ['451 Try again later', false],
  ])('"%s" is final: %s', async (answer, isFinal) => {
    const server = await aMailServer()
    server.refuseWith(answer)

    expect(await aMailer(server).send(letter)).toMatchObject({ posted: false, isFinal })
  })

  test.each([
    ['550 5.1.1 No such mailbox', true],
    ['550 5.7.1 Relaying denied', undefined],
    ['451 Try again later', undefined],
  ])('"%s" says of the recipient that there is none: %s', async (answer, isRecipient) => {
    const server = await aMailServer()
    server.refuseWith(answer)
    const result = await aMailer(server).send(letter)
    expect(result.posted || result.isRecipient).toBe(isRecipient)
  })

  test('a letter of a list names it, its sender, and where it returns to', async () => {
    const server = await aMailServer()
    await aMailer(server).send({
      ...letter,
      senderName: 'Acme, "News"',
      replyTo: 'desk@acme.example',
      listId: '<newsletter.1.acme.example>',
      returnPath: 'bounces+1@acme.example',
    })
    const [received] = server.letters
    expect(received).toMatchObject({ from: 'bounces+1@acme.example', to: ['ana@example.com'] })
    expect(received?.raw).toMatch(/^From: "Acme, \\?"?News.*<tilth@example\.com>\r$/m)
    expect(received?.raw).toMatch(/^Reply-To: desk@acme\.example\r$/m)
    expect(received?.raw).toMatch(/^List-ID: <newsletter\.1\.acme\.example>\r$/im)
  })

  test('a server that is away may be tried again, and has taken nothing', async () => {
    const server = await aMailServer()
    const mailer = new Mailer(() => ({ ...settings(server), port: 1 }))
    onTestFinished(() => mailer.close())
    const result = await mailer.send(letter)
    expect(result).toMatchObject({ posted: false, isFinal: false, isUnreachable: true })
    expect(result).not.toHaveProperty('isUncertain')
  })

  test('a password is not said aloud to a server elsewhere', async () => {
    const server = await aMailServer()
    const mailer = new Mailer(() => ({
      ...settings(server),
      host: 'localhost.localdomain',
      user: 'ana',
      password: 'secret',
    }))
    onTestFinished(() => mailer.close())

    expect(await mailer.send(letter)).toMatchObject({ posted: false })
    expect(server.letters).toEqual([])
  })
})

describe('settings', () => {
  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isSecure: false, user: undefined }],
    ['smtps://u%40x:p%2Fw@mail.example.com', { port: 465, isSecure: true, user: 'u@x', password: 'p/w' }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
  ])('%s', (text, expected) => {
    expect(parseSmtpUrl(text)).toMatchObject(expected)
  })

  test.each(['mail.example.com:587', 'http://mail.example.com', 'smtp://', 'smtp://host/path'])(
    'not %s',
    (text) => {
      expect(parseSmtpUrl(text)).toBeUndefined()
    },
  )

  test.each([
    ['tilth@example.com', 'tilth@example.com'],
    ['Tilth <tilth@example.com>', 'Tilth <tilth@example.com>'],
    ['Tilth <tilth@example.com>, <eve@example.com>', undefined],
    ['Tilth\r\nBcc: x <tilth@example.com>', undefined],
    ['Tilth', undefined],
  ])('letters from %j', (text, expected) => {
    expect(parseMailSender(text)).toBe(expected)
  })
})

const settings = ({ port }: TestMailServer) => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  user: undefined,
  password: undefined,
  from: 'Tilth <tilth@example.com>',
})

function aMailer(server: TestMailServer): Mailer {
  const current = settings(server)
  const mailer = new Mailer(() => current)
  onTestFinished(() => mailer.close())
  return mailer
}
