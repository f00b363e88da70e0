import { ownTag } from '../driven'

export interface Payload extends Record<string, unknown> {
  n: string
  u: string
  d: string
  r?: string | null
  p?: Record<string, unknown>
  $?: object
  i?: boolean
}

type Props = Record<string, string>

/** The options of `plausible.init`; for those that are absent, the script of a site counts all it can. */
export interface InitOptions {
  domain?: string
  endpoint?: string
  autoCapturePageviews?: boolean
  hashBasedRouting?: boolean
  outboundLinks?: boolean
  fileDownloads?: boolean | { fileExtensions: string[] }
  formSubmissions?: boolean
  captureOnLocalhost?: boolean
  customProperties?: Props | ((name: string) => Props)
  transformRequest?: (payload: Payload) => Payload | null
  logging?: boolean
}

export interface Options extends InitOptions {
  domain: string
  endpoint: string
  fileTypes: readonly string[]
  taggedEvents: boolean
  include: string | undefined
  exclude: string | undefined
}

const fileTypes =
  'pdf xlsx docx txt rtf csv exe key pps ppt pptx 7z pkg rar gz zip avi mov mp4 mpeg wmv midi mp3 wav wma dmg'.split(
    ' ',
  )

/** Beside the script: `/js/script.js` sends to `/api/event`, below whatever prefix both are. */
const endpointOf = (tag: HTMLScriptElement): string => new URL('../api/event', tag.src).href

/** By the name of the script and the attributes of its tag. */
export function optionsOfTag(extensions: readonly string[]): Options {
  const tag = ownTag()
  const has = (name: string): boolean => extensions.includes(name)
  const custom = has('pageview-props') ? propsOf(tag) : {}
  return {
    domain: tag.dataset.domain ?? location.hostname,
    endpoint: tag.dataset.api ?? endpointOf(tag),
    autoCapturePageviews: !has('manual'),
    hashBasedRouting: has('hash'),
    outboundLinks: has('outbound-links'),
    fileDownloads: has('file-downloads'),
    fileTypes: typesOf(tag),
    formSubmissions: false,
    taggedEvents: has('tagged-events'),
    captureOnLocalhost: has('local'),
    customProperties: custom,
    include: has('exclusions') ? tag.dataset.include : undefined,
    exclude: has('exclusions') ? tag.dataset.exclude : undefined,
  }
}

/** `event-author="Ana"` on the tag is said with every event. */
function propsOf({ attributes }: Element): Props {
  const own = [...attributes].filter(({ name }) => name.startsWith('event-'))
  return Object.fromEntries(own.map(({ name, value }) => [name.slice('event-'.length), value]))
}

/** `file-types` instead of the usual ones, `add-file-types` beside them. */
function typesOf(tag: Element): string[] {
  const listed = (name: string): string[] =>
    tag
      .getAttribute(name)
      ?.split(',')
      .map((type) => type.trim()) ?? []
  const instead = listed('file-types')
  return [...(instead.length > 0 ? instead : fileTypes), ...listed('add-file-types')]
}

/** Of a site's own script: the site is in its name, the rest comes with `plausible.init`. */
export function optionsOfSite(site: string): Options {
  const tag = ownTag()
  return {
    domain: site,
    endpoint: endpointOf(tag),
    autoCapturePageviews: true,
    outboundLinks: true,
    fileDownloads: true,
    fileTypes,
    formSubmissions: true,
    taggedEvents: true,
    include: undefined,
    exclude: undefined,
  }
}

export function initialised(options: Options, told: InitOptions): Options {
  const types = typeof told.fileDownloads === 'object' ? told.fileDownloads.fileExtensions : options.fileTypes
  return {
    ...options,
    ...told,
    fileTypes: types,
    domain: told.domain ?? options.domain,
    endpoint: told.endpoint ?? options.endpoint,
  }
}
