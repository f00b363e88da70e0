import type { IngestStep } from './step'

/** Records the environment of the key, so that purchases in a test are not counted as real ones. */
export const noteEnvironment: IngestStep = ({ notes }, { envelope }) => {
  if (envelope.environment !== undefined) notes['$environment'] = envelope.environment
}

/** Records the import, by which its events are found when it is undone. */
export const noteImport: IngestStep = ({ notes }, { envelope }) => {
  if (envelope.importId !== undefined) notes['$import'] = envelope.importId
}
