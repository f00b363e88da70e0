import { setTimeout as pause } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import { z } from 'zod'
import { mailFailureSentence, smtpErrorIn } from './internal/mail-failure'

/** The mail server and sender: of TILTH_SMTP and TILTH_MAIL_FROM, or as an owner set them up in the studio. */
export interface MailSettings {
  host: string
  port: number
  /** TLS from the start of the connection. */
  isSecure: boolean
  user: string | undefined
  password: string | undefined
  from: string
}

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
  /** The URL of the mail program's unsubscribe button: https://www.rfc-editor.org/rfc/rfc8058 */
  unsubscribe?: string
  /** Shown in place of the sender’s name. */
  senderName?: string
  replyTo?: string
  /** Identifies a list of subscribers: https://www.rfc-editor.org/rfc/rfc2919 */
  listId?: string
  /** The address for notifications of failed deliveries; the sender's own if absent. */
  returnPath?: string
}

export type MailResult =
  | { posted: true }
  | {
      posted: false
      isFinal: boolean
      why: string
      /** The server refused this recipient, and not the sender or the message. */
      isRecipient?: true
      /** The server did not answer, or did not accept the connection: other letters fail as well. */
      isUnreachable?: true
      /** The connection broke after it was open, so that the message may have arrived. */
      isUncertain?: true
    }

/** "smtp://user:pass@host:587"; undefined if it is invalid. */
export function parseSmtpUrl(text: string): Omit<MailSettings, 'from'> | undefined {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return undefined
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const isSecure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
  }
}

const mailAddress = z.email().max(254)

/** "Tilth <tilth@example.com>", or the address alone; undefined if it is neither. */
export function parseMailSender(text: string): string | undefined {
  const [, name, inAngles] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(text) ?? []
  const address = inAngles ?? text
  if (!mailAddress.safeParse(address).success) return undefined
  return name ? `${name.trim()} <${address}>` : address
}

const connectMs = 10_000
const socketTimeoutMs = 20_000
const loopback = new Set(['localhost', '127.0.0.1', '::1'])

export const mailNotSetUp = 'E-mail isn’t set up. An owner sets it up under Settings → E-mail.'

/** Sends letters through the mail server of the moment, which may be set up or changed at any time. */
export class Mailer {
  private opened: { settings: MailSettings; transport: Promise<Transporter> } | undefined

  constructor(private readonly settings: () => MailSettings | undefined) {}

  get isSetUp(): boolean {
    return this.settings() !== undefined
  }

  async send(message: EmailMessage): Promise<MailResult> {
    const settings = this.settings()
    if (!settings) return { posted: false, isFinal: false, why: mailNotSetUp, isUnreachable: true }
    if (!mailAddress.safeParse(message.to).success)
      return { posted: false, isFinal: true, why: 'This is not an e-mail address.' }
    try {
      const transport = await this.transportFor(settings)
      await transport.sendMail(mailOptions(settings, message))
      return { posted: true }
    } catch (problem) {
      return mailFailure(problem)
    }
  }

  close(): void {
    void this.opened?.transport.then((transport) => transport.close())
  }

  private async transportFor(settings: MailSettings): Promise<Transporter> {
    if (this.opened?.settings !== settings) {
      this.close()
      this.opened = { settings, transport: openTransport(settings) }
    }
    return await this.opened.transport
  }
}

export type MailTrialResult = { posted: true } | { posted: false; why: string }

const trialMs = 20_000
const trialLimits = { connectMs: 8000, socketMs: 15_000 }

/** Sends one e-mail over a connection of its own. A failure is explained with the answer of the server. */
export async function tryMailServer(settings: MailSettings, message: EmailMessage): Promise<MailTrialResult> {
  const transport = await openTransport(settings, trialLimits)
  const stop = new AbortController()
  const sending = transport.sendMail(mailOptions(settings, message)).then(
    (): MailTrialResult => ({ posted: true }),
    (problem: unknown): MailTrialResult => ({ posted: false, why: mailFailureSentence(problem, settings) }),
  )
  const timeUp = pause(trialMs, undefined, { signal: stop.signal }).then((): MailTrialResult => ({
    posted: false,
    why: `${settings.host} did not take the e-mail within ${trialMs / 1000} seconds.`,
  }))
  // ended as soon as the e-mail is sent
  timeUp.catch(() => {})
  try {
    return await Promise.race([sending, timeUp])
  } finally {
    stop.abort()
    transport.close()
  }
}

const mailOptions = ({ from }: MailSettings, { to, subject, text, html, ...more }: EmailMessage) => ({
  from: senderOf(from, more.senderName),
  ...(more.replyTo && { replyTo: { name: '', address: more.replyTo } }),
  ...(more.returnPath && { envelope: { from: more.returnPath, to: [to] } }),
  // an object is one address, whatever it contains; a text could be a list
  to: { name: '', address: to },
  subject: toSingleLine(subject),
  text,
  html,
  headers: headersFor(more),
})

/** Loads the library with the first letter. */
async function openTransport(
  { host, port, isSecure, user, password }: MailSettings,
  limits = { connectMs, socketMs: socketTimeoutMs },
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isSecure,
    // passwords are sent in plain text only to this machine
    requireTLS: !isSecure && user !== undefined && !loopback.has(host),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.socketMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Removes line breaks, so that a name cannot inject a header. */
const toSingleLine = (words: string): string =>
  words
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** The sender’s address under another name: mail servers accept no other address. */
function senderOf(from: string, name: string | undefined): string | { name: string; address: string } {
  const address = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  return name ? { name: toSingleLine(name), address } : from
}

const headersFor = ({
  unsubscribe,
  listId,
}: Pick<EmailMessage, 'unsubscribe' | 'listId'>): Record<string, string> => ({
  ...(listId !== undefined && { 'List-Id': toSingleLine(listId) }),
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(unsubscribe !== undefined && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/** Codes from 500 are permanent failures, unless they refuse the connection; lower ones may be retried. */
function mailFailure(problem: unknown): MailResult {
  const { responseCode: code = 0, code: kind, command } = smtpErrorIn(problem)
  const failed = { posted: false, isFinal: false } as const
  if (kind === 'EAUTH')
    return {
      ...failed,
      why: 'The mail server refuses the user or the password.',
      isUnreachable: true,
    }
  if (code === 0) {
    const why = 'The mail server does not answer.'
    const away = { ...failed, why, isUnreachable: true } as const
    return hasConnected(problem) ? { ...away, isUncertain: true } : away
  }
  if (code < 500 || command === 'CONN') {
    const why = `The mail server asks to try later (${code}).`
    return command === 'CONN' ? { ...failed, why, isUnreachable: true } : { ...failed, why }
  }
  const refused = { posted: false, isFinal: true, why: `The mail server refused it (${code}).` } as const
  return command === 'RCPT TO' && !isPolicyRefusal(problem) ? { ...refused, isRecipient: true } : refused
}

/** Whether the server refuses what the sender may do, such as relaying: https://www.rfc-editor.org/rfc/rfc3463 */
const isPolicyRefusal = (problem: unknown): boolean =>
  problem instanceof Error && 'response' in problem && /\b[45]\.7\.\d|relay/i.test(String(problem.response))

const beforeGreeting = new Set(['Connection timeout', 'Greeting never received'])

/**
 * Whether an error without a response came after the greeting. nodemailer names no command then:
 * nodemailer 10.6.0, lib/smtp-connection
 */
function hasConnected(problem: unknown): boolean {
  if (!(problem instanceof Error) || beforeGreeting.has(problem.message)) return false
  if ('syscall' in problem && (problem.syscall === 'connect' || problem.syscall === 'getaddrinfo'))
    return false
  return !('code' in problem && (problem.code === 'EDNS' || problem.code === 'ETLS'))
}
