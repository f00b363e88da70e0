import type { Site } from '#posts/site'

/** One page of a list that is too long for one. */
export interface PageOfList<Thing> {
  things: Thing[]
  page: number
  pages: number
}

/** Undefined for a page that the list does not have; even an empty list has a first. */
export function pageOfList<Thing>(
  all: readonly Thing[],
  pageParam: string | undefined,
  perPage: number,
): PageOfList<Thing> | undefined {
  const page = pageNumber(pageParam)
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  if (page === undefined || page > pages) return undefined
  return { things: all.slice((page - 1) * perPage, page * perPage), page, pages }
}

function pageNumber(pageParam: string | undefined): number | undefined {
  if (pageParam === undefined) return 1
  return /^[1-9]\d{0,5}$/.test(pageParam) ? Number(pageParam) : undefined
}

/** The first page has the address of the list itself. Servers of files do not read queries. */
export const addressOfPage = (
  list: string,
  page: number,
  { staticServer }: Pick<Site, 'staticServer'>,
): string =>
  page === 1 ? list : staticServer === undefined ? `${list}?page=${page}` : `${list}/page/${page}`
