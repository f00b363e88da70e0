import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A letter as it went over the wire. */
export interface ReceivedLetter {
  from: string
  to: string[]
  /** Headers and body, as they were sent. */
  raw: string
}

export interface TestMailServer {
  port: number
  letters: ReceivedLetter[]
  /** Answers the next e-mails with this in place of a welcome, such as "550 No such mailbox". */
  refuseWith: (answer: string | undefined) => void
  /** Refuses connections from then on; the function that it returns ends that. */
  stop: () => Promise<() => Promise<void>>
}

interface MailServerOptions {
  /** Letters are taken only from this user. */
  login?: { user: string; password: string }
}

/** A mail server that is small and real: it speaks as much SMTP as a letter takes. */
export async function aMailServer({ login }: MailServerOptions = {}): Promise<TestMailServer> {
  const letters: ReceivedLetter[] = []
  const sockets = new Set<Socket>()
  let refusal: string | undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serveConnection(socket, { login, refusal: () => refusal, onLetter: (letter) => letters.push(letter) })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  await listen(0)
  onTestFinished(() => void close())
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The mail server has no port.')
  const { port } = address
  const stop = async () => {
    await close()
    return () => listen(port)
  }
  return { port, letters, refuseWith: (answer) => (refusal = answer), stop }
}

interface SmtpBehaviour extends MailServerOptions {
  refusal: () => string | undefined
  onLetter: (letter: ReceivedLetter) => void
}

function serveConnection(socket: Socket, { login, refusal, onLetter }: SmtpBehaviour): void {
  const proof = login && Buffer.from(`\0${login.user}\0${login.password}`).toString('base64')
  let isSignedIn = login === undefined
  let [waiting, isData] = ['', false]
  let letter: ReceivedLetter = { from: '', to: [], raw: '' }
  const say = (line: string) => socket.write(`${line}\r\n`)

  const answers: readonly [RegExp, (rest: string) => string][] = [
    [/^EHLO /i, () => (login ? '250-small.example\r\n250 AUTH PLAIN' : '250 small.example')],
    [
      /^AUTH PLAIN (.*)$/i,
      (given) => {
        isSignedIn = given === proof
        return isSignedIn ? '235 Accepted' : '535 5.7.8 Authentication credentials invalid'
      },
    ],
    [
      /^MAIL FROM:<(.*?)>/i,
      (from) => {
        letter = { from, to: [], raw: '' }
        return isSignedIn ? '250 OK' : '530 5.7.0 Authentication required'
      },
    ],
    [/^RCPT TO:<(.*?)>/i, (to) => refusal() ?? (letter.to.push(to), '250 OK')],
    [/^DATA$/i, () => ((isData = true), '354 Go on')],
    [/^QUIT$/i, () => '221 Bye'],
  ]

  function onData(line: string): void {
    if (!isData) {
      const [pattern, answer] = answers.find(([one]) => one.test(line)) ?? []
      return void say(answer ? answer(pattern?.exec(line)?.[1] ?? '') : '250 OK')
    }
    if (line !== '.') return void (letter.raw += `${line.replace(/^\./, '')}\r\n`)
    isData = false
    onLetter(letter)
    say('250 Kept')
  }

  say('220 small.example')
  socket.on('data', (chunk: Buffer) => {
    const lines = `${waiting}${String(chunk)}`.split('\r\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) onData(line)
  })
}
