import type { SeededRandom } from './seeded-random'
import { postOn } from './browsing'
import type { DemoEvent } from './event'
import { type DemoRobot, robots } from './robots'
import { documentation, pages, type DemoPage, product } from './site'
import { dayMs } from './story'

/** Returns a day's requests of crawlers, as recorded by the site's server. */
export function crawled(day: number, from: number, density: number, random: SeededRandom): DemoEvent[] {
  return robots.flatMap((robot) => {
    const fetches = random.amount(robot.perDay * density * (1 + (robot.grows ?? 0) * day))
    return Array.from({ length: fetches }, () => fetched(robot, day, from, random))
  })
}

function fetched(robot: DemoRobot, day: number, from: number, random: SeededRandom): DemoEvent {
  const at = from + random.whole(0, dayMs - 1)
  const page = pageFor(robot, day, random)
  return {
    uuid: random.uuid(at),
    event: '$pageview',
    distinct_id: `robot-${robot.network}-${robot.agent.length}`,
    timestamp: new Date(at).toISOString(),
    properties: {
      $is_server: true,
      $process_person_profile: false,
      $lib: 'posthog-node',
      $lib_version: '5.70.0',
      $ip: `${robot.network}.${random.whole(1, 254)}`,
      $raw_user_agent: robot.agent,
      $current_url: page.url,
      title: page.title,
    },
  }
}

const feed: Pick<DemoPage, 'url' | 'title'> = {
  url: `${product.site}/feed.xml`,
  title: `Feed · ${product.name}`,
}

function pageFor({ reads }: DemoRobot, day: number, random: SeededRandom): Pick<DemoPage, 'url' | 'title'> {
  if (reads === 'feed') return feed
  if (reads === 'documentation') return random.weighted(documentation)
  return reads === 'posts' || random.happens(0.35) ? postOn(day, random) : random.weighted(pages)
}
