import { pipeline, Readable, type Transform } from 'node:stream'

/** Reads what a transformation makes of a content. A failure of either ends the reading, with its reason. */
export function through<Stage extends Transform>(content: AsyncIterable<Uint8Array>, stage: Stage): Stage {
  pipeline(Readable.from(content), stage, () => {})
  return stage
}
