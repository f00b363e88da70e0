import type { Mailer } from '#outbound/mailer'
import type { PasswordResets, ResetLetter } from './password-resets'
import type { Job } from '#jobs/jobs'

export const resetLetterJob = 'send links for new passwords'

/** Sends letters to members who forgot their password. Runs in the front process only. */
export const resetLettersJob = (
  resets: Pick<PasswordResets, 'sendLetters'>,
  mailer: Pick<Mailer, 'send' | 'isSetUp'>,
  origin: string,
): Job => ({
  name: resetLetterJob,
  everyMs: 60_000,
  isShared: true,
  run: async () => {
    if (!mailer.isSetUp) return
    await resets.sendLetters(async (letter) => {
      const posted = await mailer.send({ to: letter.to, ...wordsOf(letter, origin) })
      if (posted.posted) return 'sent'
      return posted.isFinal ? 'never' : 'later'
    })
  },
})

function wordsOf({ name, token }: ResetLetter, origin: string) {
  // the secret is in the fragment, which browsers do not send
  const link = new URL(`/studio/reset#${token}`, origin).href
  const lines = [
    `Hello ${name},`,
    'a password reset was requested for your Tilth account. Choose a new password here; the link works once, for 30 minutes:',
    link,
    'If you did not request this, ignore this e-mail. Your password stays the same.',
  ]
  return {
    subject: 'Reset your Tilth password',
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${line === link ? anchor(link) : escaped(line)}</p>`).join('\n'),
  }
}

const anchor = (link: string): string => `<a href="${escaped(link)}">${escaped(link)}</a>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
