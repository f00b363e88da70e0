import type { Chance } from './chance'
import { postOn } from './browsing'
import type { DemoEvent } from './event'
import { type Robot, robots } from './robots'
import { documentation, pages, type Page, product } from './site'
import { dayMs } from './story'

/** All that programs fetch on a day, as the site's own server saw it. */
export function crawled(day: number, from: number, density: number, chance: Chance): DemoEvent[] {
  return robots.flatMap((robot) => {
    const fetches = chance.amount(robot.perDay * density * (1 + (robot.grows ?? 0) * day))
    return Array.from({ length: fetches }, () => fetched(robot, day, from, chance))
  })
}

function fetched(robot: Robot, day: number, from: number, chance: Chance): DemoEvent {
  const at = from + chance.whole(0, dayMs - 1)
  const page = pageFor(robot, day, chance)
  return {
    uuid: chance.uuid(at),
    event: '$pageview',
    distinct_id: `robot-${robot.network}-${robot.agent.length}`,
    timestamp: new Date(at).toISOString(),
    properties: {
      $is_server: true,
      $process_person_profile: false,
      $lib: 'posthog-node',
      $lib_version: '5.70.0',
      $ip: `${robot.network}.${chance.whole(1, 254)}`,
      $raw_user_agent: robot.agent,
      $current_url: page.url,
      title: page.title,
    },
  }
}

const feed: Pick<Page, 'url' | 'title'> = { url: `${product.site}/feed.xml`, title: `Feed · ${product.name}` }

function pageFor({ reads }: Robot, day: number, chance: Chance): Pick<Page, 'url' | 'title'> {
  if (reads === 'feed') return feed
  if (reads === 'documentation') return chance.weighted(documentation)
  return reads === 'posts' || chance.happens(0.35) ? postOn(day, chance) : chance.weighted(pages)
}
