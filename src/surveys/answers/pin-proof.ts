import { createHmac, timingSafeEqual } from 'node:crypto'

const proofMs = 6 * 3600_000

/** Stands for a PIN that was entered. Its key is the hash of the PIN, so that another PIN ends it. */
export function proofOfPin(pinHash: string, survey: string, now: Date): string {
  const until = String(now.getTime() + proofMs)
  return `${until}.${sign(pinHash, survey, until)}`
}

export function provesPin(proof: string | undefined, pinHash: string, survey: string, now: Date): boolean {
  const [until = '', signature = ''] = (proof ?? '').split('.')
  const wanted = Buffer.from(sign(pinHash, survey, until))
  const given = Buffer.from(signature)
  return Number(until) > now.getTime() && given.length === wanted.length && timingSafeEqual(given, wanted)
}

const sign = (pinHash: string, survey: string, until: string): string =>
  createHmac('sha256', pinHash).update(`${survey} ${until}`).digest('base64url')
