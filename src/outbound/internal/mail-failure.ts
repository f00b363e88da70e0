import { z } from 'zod'

const smtpError = z.object({
  responseCode: z.number().optional().catch(undefined),
  /** A code of nodemailer: lib/errors of nodemailer 10.6.0 */
  code: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  /** The lines of the server's answer. */
  response: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
})

export const smtpErrorIn = (problem: unknown): z.infer<typeof smtpError> =>
  problem instanceof Error ? (smtpError.safeParse(problem).data ?? {}) : {}

interface MailServerAddress {
  host: string
  port: number
  isSecure: boolean
}

/** Failures without an answer of the server, by the message of the error. The first that fits counts. */
const failures: readonly [RegExp, (server: MailServerAddress, message: string) => string][] = [
  [/ENOTFOUND|EAI_AGAIN|EDNS|querySrv|queryA/, ({ host }) => `The host ${host} is unknown. Check its name.`],
  [/ECONNREFUSED/, ({ host, port }) => `${host} refuses connections on port ${port}.`],
  [/EHOSTUNREACH|ENETUNREACH/, ({ host }) => `There is no route to ${host}.`],
  [
    /wrong version number|packet length too long|EPROTO/i,
    ({ host, port }) => `${host} does not speak TLS on port ${port}. Choose STARTTLS, or another port.`,
  ],
  [
    /certificate|self.signed|altnames|CERT_/i,
    ({ host }, message) => `The TLS certificate of ${host} is not valid: ${message}.`,
  ],
  [
    /STARTTLS/,
    ({ host, port }) => `${host} offers no STARTTLS on port ${port}, and a password is not sent without it.`,
  ],
  [
    /timed? ?out|Greeting never received/i,
    ({ host, port, isSecure }) =>
      `${host} does not answer on port ${port}${isSecure ? '' : ' as a mail server'}.`,
  ],
]

/** A sentence about a failure, with the words of the mail server where it answered. */
export function mailFailureSentence(problem: unknown, server: MailServerAddress): string {
  const { code = '', response, message = 'unknown error', command } = smtpErrorIn(problem)
  const answer = response === undefined ? undefined : toSentence(response)
  if (code === 'EAUTH')
    return `${server.host} refuses the user or the password${answer === undefined ? '.' : `: ${answer}`}`
  if (answer !== undefined)
    return `${server.host} answered${command === undefined ? '' : ` ${command}`}: ${answer}`
  const words = `${code} ${message}`
  const known = failures.find(([pattern]) => pattern.test(words))
  const plain = toSentence(message).replace(/\.$/, '')
  return known ? known[1](server, plain) : `${server.host} could not be asked: ${plain}.`
}

/** One line, which ends as a sentence does. */
function toSentence(words: string): string {
  const line = words
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 300)
  return /[.!?]$/.test(line) ? line : `${line}.`
}
