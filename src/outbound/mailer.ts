import type { Transporter } from 'nodemailer'
import { z } from 'zod'

/** The mail server and sender: TILTH_SMTP and TILTH_MAIL_FROM. */
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
}

export type MailResult = { posted: true } | { posted: false; isFinal: boolean; why: string }

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

/** Sends letters through the operator's mail server. */
export class Mailer {
  private transport: Promise<Transporter> | undefined

  constructor(private readonly settings: MailSettings) {}

  async send({ to, subject, text, html, unsubscribe }: EmailMessage): Promise<MailResult> {
    if (!mailAddress.safeParse(to).success)
      return { posted: false, isFinal: true, why: 'This is not an e-mail address.' }
    try {
      const transport = await (this.transport ??= openTransport(this.settings))
      await transport.sendMail({
        from: this.settings.from,
        // an object is one address, whatever it contains; a text could be a list
        to: { name: '', address: to },
        subject: toSingleLine(subject),
        text,
        html,
        headers: headersFor(unsubscribe),
      })
      return { posted: true }
    } catch (problem) {
      return mailFailure(problem)
    }
  }

  close(): void {
    void this.transport?.then((transport) => transport.close())
  }
}

/** Loads the library with the first letter. */
async function openTransport({ host, port, isSecure, user, password }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isSecure,
    // passwords are sent in plain text only to this machine
    requireTLS: !isSecure && user !== undefined && !loopback.has(host),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Removes line breaks, so that a name cannot inject a header. */
export const toSingleLine = (words: string): string =>
  words
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)

const headersFor = (unsubscribe: string | undefined): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(unsubscribe !== undefined && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/** Codes from 500 are permanent failures; lower ones may be retried. */
function mailFailure(problem: unknown): MailResult {
  const code = problem instanceof Error && 'responseCode' in problem ? Number(problem.responseCode) : 0
  const isAuthentication = problem instanceof Error && 'code' in problem && problem.code === 'EAUTH'
  if (isAuthentication)
    return {
      posted: false,
      isFinal: false,
      why: 'The mail server refuses the user or password of TILTH_SMTP.',
    }
  if (code >= 500) return { posted: false, isFinal: true, why: `The mail server refused it (${code}).` }
  if (code > 0) return { posted: false, isFinal: false, why: `The mail server asks to try later (${code}).` }
  return { posted: false, isFinal: false, why: 'The mail server of TILTH_SMTP does not answer.' }
}
