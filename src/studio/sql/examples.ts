/** Statements to begin with, and to learn from. */
export const examples: readonly { title: string; text: string }[] = [
  {
    title: 'Most frequent events',
    text: `select event, count() as events, uniq(person_id) as persons
from events
where timestamp >= {{from}} and timestamp < {{until}}
group by event
order by events desc
limit 50`,
  },
  {
    title: 'Visitors by day',
    text: `select toDate(timestamp) as day, uniq(person_id) as visitors
from events
where event = '$pageview' and traffic = 'human'
  and timestamp >= {{from}} and timestamp < {{until}}
group by day
order by day`,
  },
  {
    title: 'Entry pages',
    text: `select entry_path, count() as sessions, round(avg(duration)) as seconds
from sessions
where started_at >= {{from}} and started_at < {{until}}
group by entry_path
order by sessions desc
limit 50`,
  },
  {
    title: 'Property values',
    text: `select properties['plan'] as plan, count() as persons
from persons
group by plan
order by persons desc`,
  },
]
