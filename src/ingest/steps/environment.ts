import type { IngestStep } from './step'

/** Where the key was an environment's: a test's purchases are not to be taken for the shop's. */
export const noteEnvironment: IngestStep = ({ notes }, { envelope }) => {
  if (envelope.environment !== undefined) notes['$environment'] = envelope.environment
}
