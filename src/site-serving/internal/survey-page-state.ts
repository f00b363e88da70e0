import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { SurveyContent } from '#surveys/survey'
import type { SurveySession } from '#surveys/run/session'

/** The signed state that a survey's form carries from question to question where no script runs. */
const pageState = z.object({
  answers: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.record(z.string(), z.string())]),
  ),
  path: z.array(z.number().int().nonnegative()).max(200),
  /** The question that is shown; -1 for the intro. */
  at: z.number().int().min(-1),
  submissionId: z.uuid(),
  /** Whether the submission is the only one of this person, also when the address is opened again. */
  isOwn: z.boolean().optional(),
  fields: z.record(z.string(), z.string()),
  version: z.number().int(),
  language: z.string().optional(),
  distinctId: z.string().max(200).optional(),
  /** Stands for a PIN that was entered. */
  proof: z.string().max(200).optional(),
  /** The token of a link. */
  link: z.string().max(100).optional(),
  /** The key of a test. */
  test: z.string().max(100).optional(),
  /** The page that the survey began on. */
  back: z.string().max(2000).optional(),
})
export type SurveyPageState = z.infer<typeof pageState>

/** Makes the signature of a text, for this installation alone. */
export type StateSigner = (text: string) => string

export function writeState(state: SurveyPageState, sign: StateSigner): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${sign(text)}`
}

/** Undefined for what no form of ours carries. */
export function readState(signed: string | null, sign: StateSigner): SurveyPageState | undefined {
  const [text = '', signature = ''] = (signed ?? '').split('.')
  if (text === '' || !isSame(signature, sign(text))) return undefined
  try {
    const read = pageState.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The session of a state; it begins anew where the survey no longer has that question. */
export function sessionOf(
  { answers, path, at }: SurveyPageState,
  { questions, intro }: Pick<SurveyContent, 'questions' | 'intro'>,
): SurveySession {
  const isKnown = path.every((index) => index < questions.length) && at < questions.length
  if (at === -1 || !isKnown)
    return { screen: intro ? { kind: 'intro' } : { kind: 'question', index: 0 }, answers, path: [] }
  return { screen: { kind: 'question', index: at }, answers, path }
}
