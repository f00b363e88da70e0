import type { Properties } from '#events/event'
import { truncate, numberOf, textOf, type IngestStep } from './step'

/** Reads the screen, the language and the SDK. */
export const readEquipment: IngestStep = ({ event: { properties }, columns }, { envelope }) => {
  const screen = screenIn(properties)
  if (screen !== '') columns.screen = screen
  const language = languageIn(textOf(properties, '$browser_language') || (envelope.language ?? ''))
  if (language !== '') columns.language = language
  columns.lib = truncate(textOf(properties, '$lib') || envelope.dialect, 60)
  const version = truncate(textOf(properties, '$lib_version'), 30)
  if (version !== '') columns.lib_version = version
}

function screenIn(properties: Properties): string {
  const width = numberOf(properties, '$screen_width')
  const height = numberOf(properties, '$screen_height')
  if (isLength(width) && isLength(height)) return `${Math.round(width)}x${Math.round(height)}`
  const screen = textOf(properties, '$screen')
  return /^\d{1,5}x\d{1,5}$/.test(screen) ? screen : ''
}

const isLength = (pixels: number | undefined): pixels is number =>
  pixels !== undefined && pixels >= 1 && pixels < 100_000

/** The first language of a list such as `de-de,de;q=0.9`, as `de-DE`. */
function languageIn(list: string): string {
  const [, language, region] =
    /^([a-z]{2,3})(?:[-_](?:[a-z]{4}[-_])?([a-z]{2}|\d{3}))?(?=$|[,;\s_-])/i.exec(list) ?? []
  if (language === undefined) return ''
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`
}
