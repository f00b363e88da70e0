import type { TilthConfig } from './config'
import { Remembered } from './remembered'
import type { Sender } from './sender'
import { sendEvents } from './tilth-server'
import { isCounted, type Visit } from './visit'

const aDayMs = 24 * 3_600_000
const reported = new Remembered<true>(20_000, aDayMs)

/**
 * Returns what reports that a page used a decision; undefined if this server has reported it. The id is the same as in
 * the browser, so that Tilth stores the exposure once.
 */
export function exposureOf(
  key: string,
  visit: Visit,
  sender: Sender,
  config: TilthConfig,
): (() => Promise<void>) | undefined {
  const value = Object.hasOwn(visit.flags, key) ? visit.flags[key] : undefined
  const uuid = `${visit.exposureSeed}/$feature_flag_called/${key}/${value}`
  if (value === undefined || !isCounted(visit) || reported.get(uuid)) return undefined
  reported.set(uuid, true)
  const props = { $feature_flag: key, $feature_flag_response: value }
  return () => sendEvents([{ uuid, name: '$feature_flag_called', props }], { ...visit, sender }, config)
}
