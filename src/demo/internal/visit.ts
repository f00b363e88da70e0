import type { Properties } from '#events/event'
import type { SeededRandom } from './seeded-random'
import type { DemoApp } from './devices'
import type { DemoEvent } from './event'
import { type FlagKey, givenTo, isExposureLost } from './flags'
import type { DemoPage } from './site'
import type { DemoVisitor } from './visitor'

/** One session of one visitor, which records its events. */
export class DemoVisit {
  readonly events: DemoEvent[] = []
  private readonly common: Properties
  private page: { shown: DemoPage; since: number } | undefined

  constructor(
    readonly visitor: DemoVisitor,
    private at: number,
    readonly chance: SeededRandom,
    app?: DemoApp,
  ) {
    this.common = { ...serverProperties, ...equipmentOf(visitor, app), $session_id: chance.uuid(at) }
  }

  get now(): number {
    return this.at
  }

  /** The page that is open. */
  get shown(): DemoPage | undefined {
    return this.page?.shown
  }

  wait(seconds: number): this {
    this.at += Math.round(seconds * 1000)
    return this
  }

  /** Opens a page; `from` is the referrer, and `query` that of the link. */
  open(page: DemoPage, { from, query }: { from?: string; query?: string } = {}): this {
    const referrer = this.page?.shown.url ?? from ?? '$direct'
    const left = this.leaving()
    this.page = { shown: page, since: this.at }
    this.record('$pageview', {
      ...left,
      ...(query ? { $current_url: `${page.url}?${query}` } : {}),
      $referrer: referrer,
    })
    if (this.chance.happens(0.22)) this.record('$web_vitals', this.vitals())
    return this
  }

  /** Stays on the page for about the usual time. */
  look(part = 1): this {
    const seconds = this.page ? this.chance.around(this.page.shown.seconds * part) : 0
    return this.wait(Math.max(1.2, Math.min(seconds, 1200)))
  }

  leave(): this {
    if (this.page) this.record('$pageleave', this.leaving())
    this.page = undefined
    return this
  }

  record(event: string, properties: Properties = {}): this {
    this.at += this.chance.whole(30, 700)
    const account = this.visitor.account
    this.events.push({
      uuid: this.chance.uuid(this.at),
      event,
      distinct_id: account?.person.userId ?? this.visitor.anonymousId,
      timestamp: new Date(this.at).toISOString(),
      properties: {
        ...this.common,
        ...(this.page ? { $current_url: this.page.shown.url, title: this.page.shown.title } : {}),
        ...this.flags(),
        ...(account
          ? { $is_identified: true, $groups: { company: account.company.key } }
          : { $is_identified: false, $process_person_profile: false }),
        ...properties,
      },
    })
    return this
  }

  /** Evaluates a flag, once for each visitor. */
  ask(flag: FlagKey): this {
    const { evaluatedFlags, anonymousId, equipment } = this.visitor
    if (evaluatedFlags.has(flag)) return this
    evaluatedFlags.add(flag)
    if (isExposureLost(flag, anonymousId, equipment.agent)) return this
    return this.record('$feature_flag_called', {
      $feature_flag: flag,
      $feature_flag_response: givenTo(anonymousId, flag),
    })
  }

  press(text: string, element: string, within: string): this {
    return this.record('$autocapture', {
      $event_type: 'click',
      $el_text: text,
      $elements_chain: `${element}.button:nth-child="1"nth-of-type="1"text="${text}";${chainOf(within)};body:`,
    })
  }

  private flags(): Properties {
    const { evaluatedFlags, anonymousId } = this.visitor
    if (evaluatedFlags.size === 0) return {}
    return Object.fromEntries(
      [...evaluatedFlags].map((flag) => [`$feature/${flag}`, givenTo(anonymousId, flag)]),
    )
  }

  /** Returns the properties of the previous page that posthog-js sends. */
  private leaving(): Properties {
    if (!this.page) return {}
    const { shown, since } = this.page
    const depth = Math.min(1, shown.depth * this.chance.between(0.35, 1.5))
    return {
      $prev_pageview_pathname: new URL(shown.url).pathname,
      $prev_pageview_duration: (this.at - since) / 1000,
      $prev_pageview_max_scroll_percentage: Number(depth.toFixed(2)),
      $prev_pageview_max_content_percentage: Number(depth.toFixed(2)),
    }
  }

  /** Returns web vitals; phones and distant visitors have slower ones. */
  private vitals(): Properties {
    const { equipment, home } = this.visitor
    const slow = (equipment.isPhone ? 1.6 : 1) * (Math.abs(home.country.offset - 1) > 4 ? 1.35 : 1)
    const first = this.chance.around(620 * slow)
    return {
      $web_vitals_FCP_value: Math.round(first),
      $web_vitals_LCP_value: Math.round(first + this.chance.around(650 * slow)),
      $web_vitals_INP_value: Math.round(this.chance.around(70 * slow)),
      $web_vitals_CLS_value: Number(this.chance.around(0.03 * slow).toFixed(3)),
      $web_vitals_TTFB_value: Math.round(first * 0.35),
    }
  }
}

/** Marks events whose address and user agent are the visitor's and not those of the sending server. */
const serverProperties: Properties = { $is_server: true }

function equipmentOf(visitor: DemoVisitor, app: DemoApp | undefined): Properties {
  const { home, equipment, anonymousId } = visitor
  const { language, zone } = home.country
  const [width, height] = app?.screen ?? equipment.screen
  return {
    ...(app
      ? appProperties(app)
      : { $lib: 'web', $lib_version: '1.434.18', $raw_user_agent: equipment.agent }),
    $ip: home.address,
    $device_id: anonymousId,
    $screen_width: width,
    $screen_height: height,
    $browser_language: language,
    $timezone: zone,
  }
}

const appProperties = ({ library, libraryVersion, os, osVersion }: DemoApp): Properties => ({
  $lib: library,
  $lib_version: libraryVersion,
  $os: os,
  $os_version: osVersion,
  $device_type: 'Mobile',
  $app_version: '2.3.1',
})

/** Returns one element of an element chain, from `section.hero`. */
function chainOf(element: string): string {
  const [tag = 'div', ...classes] = element.split('.')
  return `${[tag, ...classes.toSorted()].join('.')}:nth-child="2"nth-of-type="1"`
}
