import type { TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'

/** The queries about an experiment whose last answers are kept. */
export const keptAnswerKinds = ['results', 'course', 'exposures'] as const
export type KeptAnswerKind = (typeof keptAnswerKinds)[number]

/** An answer with everything that says whether it still holds. JSON has no dates. */
export interface KeptAnswer {
  /** The query and the settings that it was asked with. */
  key: string
  answer: unknown
  at: string
  tookMs: number
  rowsRead: number
  waitingEvents: number
  isBehind: boolean
}

export interface StoredAnswer {
  experimentId: string
  about: KeptAnswerKind
  /** When a newer one was asked for; undefined once there is one. */
  wantedAt: Date | undefined
  /** When computing one in the background began last, also in vain. */
  triedAt: Date | undefined
  kept: KeptAnswer | undefined
}

const open = openTables<{ experimentAnswers: RowsOf<StoredAnswer> }>({ json: ['kept'] })

export async function answerRowsOf(store: TableSource, experimentId: string): Promise<StoredAnswer[]> {
  return await open(store)
    .selectFrom('experimentAnswers')
    .selectAll()
    .where('experimentId', '=', experimentId)
    .execute()
}

/** Replaces the last answer. */
export async function keepAnswer(
  store: TableSource,
  experimentId: string,
  about: KeptAnswerKind,
  kept: KeptAnswer,
): Promise<void> {
  await save(store, { experimentId, about }, { kept })
}

export async function wantAnswer(
  store: TableSource,
  experimentId: string,
  about: KeptAnswerKind,
  wantedAt: Date,
): Promise<void> {
  await save(store, { experimentId, about }, { wantedAt })
}

/** Notes that one is being computed: nothing newer is wanted until someone asks again. */
export async function noteTry(
  store: TableSource,
  experimentId: string,
  about: KeptAnswerKind,
  triedAt: Date,
): Promise<void> {
  await save(store, { experimentId, about }, { wantedAt: null, triedAt })
}

async function save(
  store: TableSource,
  named: Pick<StoredAnswer, 'experimentId' | 'about'>,
  change: { wantedAt?: Date | null; triedAt?: Date; kept?: KeptAnswer },
): Promise<void> {
  await open(store)
    .insertInto('experimentAnswers')
    .values({ wantedAt: null, triedAt: null, kept: null, ...named, ...change })
    .onConflict((conflict) => conflict.columns(['experimentId', 'about']).doUpdateSet(change))
    .execute()
}
