import type { Engine } from '#engine/engine'
import { dateTime, type Sql, sql, uint } from '#engine/sql'

/** Some five events a session, and five sessions a person: a site that people come back to. */
const eventsPerSession = 5
const sessionsPerPerson = 5
const days = 90

/** Made in the engine itself, a million at a time: ten million rows would take JavaScript an hour. */
export async function fillWith(engine: Engine, events: number, until: Date): Promise<void> {
  const portion = 1_000_000
  for (let from = 0; from < events; from += portion)
    await engine.command(portionOf(from, Math.min(portion, events - from), until), { deadlineMs: 300_000 })
}

/** Three projects: one large, one of a fifth of it, one small. */
const portionOf = (from: number, amount: number, until: Date): Sql => sql`
  insert into events (project_id, uuid, event, timestamp, received_at, distinct_id, person_id, session_id, has_person,
    is_cookieless, traffic, host, path, title, referrer, referrer_host, source, channel, utm_source, utm_medium,
    utm_campaign, country, region, city, browser, browser_version, os, os_version, device, screen, language, lib,
    revenue, engaged_ms, scroll_depth, properties)
  with
    intDiv(number, ${uint(eventsPerSession)}) as session,
    number % ${uint(eventsPerSession)} as step,
    cityHash64(session) as chance,
    cityHash64(number) as chance_of_event,
    intDiv(session, ${uint(sessionsPerPerson)}) as person,
    cityHash64(person) as chance_of_person,
    ${dateTime(new Date(until.getTime() - days * 86_400_000))} as beginning,
    beginning + toIntervalSecond(chance % ${uint(days * 86_400)}) as began,
    toUInt64(floor(pow(2000, (chance_of_event % 10000) / 10000))) as page,
    toUInt8(chance % 7) as origin,
    reinterpretAsUUID(reverse(unhex(concat(leftPad(lower(hex(toUInt64(toUnixTimestamp64Milli(began)))), 12, '0'), '7', substring(lower(hex(chance)), 1, 3), '8', substring(leftPad(lower(hex(session)), 15, '0'), 1, 15))))) as session_uuid
  select
    multiIf(person % 20 < 16, 1, person % 20 < 19, 2, 3),
    generateUUIDv4(number),
    multiIf(step = 0, '$pageview', chance_of_event % 100 < 72, '$pageview', chance_of_event % 100 < 84, '$pageleave',
      chance_of_event % 100 < 90, '$autocapture', chance_of_event % 100 < 95, 'signed up',
      chance_of_event % 100 < 99, 'activated', 'purchased'),
    began + toIntervalSecond(step * (20 + chance_of_event % 60)),
    began + toIntervalSecond(step * 60),
    concat('visitor ', toString(person * 2 + chance % 2)),
    reinterpretAsUUID(concat(reinterpretAsString(chance_of_person), reinterpretAsString(person))),
    session_uuid,
    true, false, 'human',
    if(chance % 10 < 9, 'www.example.com', 'docs.example.com'),
    concat('/', arrayElement(['blog', 'docs', 'products', 'help'], 1 + page % 4), '/', toString(page)),
    concat('Page ', toString(page)),
    if(origin < 3, '', concat('https://site', toString(chance % 300), '.example/')),
    if(origin < 3, '', concat('site', toString(chance % 300), '.example')),
    if(origin < 3, 'Direct', arrayElement(['Google', 'Bing', 'Twitter', 'ChatGPT', 'Newsletter'], 1 + chance % 5)),
    arrayElement(['Direct', 'Direct', 'Direct', 'Organic Search', 'Organic Social', 'Referral', 'AI Assistants'], 1 + origin),
    if(chance % 11 = 0, 'newsletter', ''), if(chance % 11 = 0, 'email', ''),
    if(chance % 11 = 0, concat('week ', toString(chance % 13)), ''),
    arrayElement(['US', 'DE', 'FR', 'IN', 'BR', 'GB', 'JP', 'ES', 'CA', 'NL'], 1 + chance_of_person % 10),
    concat('Region ', toString(chance_of_person % 80)), concat('City ', toString(chance_of_person % 900)),
    arrayElement(['Chrome', 'Safari', 'Firefox', 'Edge'], 1 + chance_of_person % 4), toString(100 + chance_of_person % 40),
    arrayElement(['Windows', 'macOS', 'iOS', 'Android', 'Linux'], 1 + chance_of_person % 5), toString(chance_of_person % 15),
    arrayElement(['Desktop', 'Mobile', 'Tablet'], 1 + chance_of_person % 3), '1440x900',
    arrayElement(['en-US', 'de-DE', 'fr-FR', 'pt-BR'], 1 + chance_of_person % 4), 'web',
    if(chance_of_event % 100 = 99, 10 + chance_of_event % 90, 0),
    if(chance_of_event % 100 between 72 and 83, chance_of_event % 60000, 0),
    if(chance_of_event % 100 between 72 and 83, chance_of_event % 101, 0),
    map('plan', arrayElement(['free', 'team', 'company'], 1 + chance_of_person % 3),
      'amount', toString(chance_of_event % 500), 'section', toString(page % 30))
  from numbers(${uint(from)}, ${uint(amount)})`
