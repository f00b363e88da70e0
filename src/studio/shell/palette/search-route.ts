import { NextResponse } from 'next/server'
import type { SearchAnswer } from '#search/result'
import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import { getProduct } from '#studio/product'
import { currentViewer } from '#studio/viewer'
import { refusalIn } from '#studio/parts/refusals'

/** The results of the command palette: entries found by the typed text, or the names of those opened before. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ project: string }> },
): Promise<Response> {
  const viewer = await currentViewer()
  if (!viewer) return jsonResponse(401, { message: 'Sign in to Tilth first.' })
  const { searchParams } = new URL(request.url)
  const outcome = await answer((await params).project, searchParams, viewer)
  if (!outcome) return jsonResponse(404, { message: 'There is nothing here.' })
  return outcome.done
    ? jsonResponse(200, { results: outcome.results, unavailable: outcome.unavailable })
    : jsonResponse(422, outcome)
}

async function answer(
  slug: string,
  searchParams: URLSearchParams,
  viewer: MemberViewer,
): Promise<Outcome<SearchAnswer> | undefined> {
  const { projects, search } = getProduct()
  try {
    const { id } = projects.find(slug, viewer)
    const things = searchParams.get('things')
    return things === null
      ? await search.find(id, { text: searchParams.get('text') ?? '' }, viewer)
      : await search.named(id, parsedJson(things), viewer)
  } catch (problem) {
    if (refusalIn(problem)) return undefined
    throw problem
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const jsonResponse = (status: number, body: object): Response =>
  NextResponse.json(body, { status, headers: { 'cache-control': 'private, no-store' } })
