import { type HistoryOrigin, HistoryPreparation, type PreparedHistory } from '#ingest/history-preparation'
import type { ProjectIngestSettings } from '#ingest/settings'
import { importPortion, type PortionHead } from '../import-portion'
import { incomingEventOf } from '../internal/imported-event'

/** Parses portions of imports and prepares their events beside the event loop. */
export interface PortionPreparer {
  /** Returns undefined if the JSON is no portion, or the preparation failed. */
  prepare(json: Uint8Array, origin: HistoryOrigin, receivedAt: Date): Promise<PreparedPortion | undefined>
}

export interface PortionRequest {
  json: Uint8Array
  origin: HistoryOrigin
  settings: ProjectIngestSettings
  receivedAt: Date
}

/** A portion whose events are records of the journal. */
export interface PreparedPortion {
  portion: PortionHead
  history: PreparedHistory
}

/** Returns the function that prepares portions, with a context of its own for each import. */
export function openPortionPreparation(): (request: PortionRequest) => Promise<PreparedPortion | undefined> {
  const preparation = new HistoryPreparation()
  return async ({ json, origin, ...circumstances }) => {
    const parsed = importPortion.safeParse(parseJsonOrUndefined(json))
    if (!parsed.success) return undefined
    const { events, ...portion } = parsed.data
    const history = await preparation.prepare(events.map(incomingEventOf), origin, circumstances)
    return { portion: { ...portion, amount: events.length }, history }
  }
}

function parseJsonOrUndefined(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json))
  } catch {
    return undefined
  }
}
