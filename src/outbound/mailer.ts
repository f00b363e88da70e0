import { createTransport, type Transporter } from 'nodemailer'
import { z } from 'zod'

/** How letters leave the house: TILTH_SMTP and TILTH_MAIL_FROM. */
export interface MailSettings {
  host: string
  port: number
  /** Encrypted from the first byte. */
  isSecure: boolean
  user: string | undefined
  password: string | undefined
  from: string
}

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
  /** Where a mail program's own button for it leads: https://www.rfc-editor.org/rfc/rfc8058 */
  unsubscribe?: string
}

export type Posted = { posted: true } | { posted: false; isFinal: boolean; why: string }

/** "smtp://user:pass@host:587"; undefined when it is none. */
export function readSmtp(text: string): Omit<MailSettings, 'from'> | undefined {
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

/** "Tilth <tilth@example.com>", or the address alone; undefined when it is neither. */
export function readSender(text: string): string | undefined {
  const [, name, inAngles] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(text) ?? []
  const address = inAngles ?? text
  if (!mailAddress.safeParse(address).success) return undefined
  return name ? `${name.trim()} <${address}>` : address
}

const connectMs = 10_000
const silentMs = 20_000
const loopback = new Set(['localhost', '127.0.0.1', '::1'])

/** Sends letters through the mail server of whoever runs Tilth. */
export class Mailer {
  private readonly transport: Transporter

  constructor(private readonly settings: MailSettings) {
    const { host, port, isSecure, user, password } = settings
    this.transport = createTransport({
      host,
      port,
      secure: isSecure,
      // a password is not said aloud on the way to another machine
      requireTLS: !isSecure && user !== undefined && !loopback.has(host),
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silentMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async post({ to, subject, text, html, unsubscribe }: Letter): Promise<Posted> {
    if (!mailAddress.safeParse(to).success)
      return { posted: false, isFinal: true, why: 'This is not an e-mail address.' }
    try {
      await this.transport.sendMail({
        from: this.settings.from,
        // an object is one address, whatever stands in it; a text could be a list
        to: { name: '', address: to },
        subject: inOneLine(subject),
        text,
        html,
        headers: headersFor(unsubscribe),
      })
      return { posted: true }
    } catch (problem) {
      return notPosted(problem)
    }
  }

  close(): void {
    this.transport.close()
  }
}

/** Whatever a name holds, it does not end a header and begin another. */
export const inOneLine = (words: string): string =>
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

/** From 500 up a mail server has decided; before that it asks for patience. */
function notPosted(problem: unknown): Posted {
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
