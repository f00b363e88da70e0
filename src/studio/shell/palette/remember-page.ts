import { rememberThing } from './recent-things'
import { thingAt } from './things'

/** Remembers the thing that a page of the studio is about. */
export function rememberPage(member: string, slug: string, pathname: string): void {
  const thing = thingAt(pathname, slug)
  if (thing) rememberThing(member, slug, thing)
}
