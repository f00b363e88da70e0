import { csvOf } from '#insights/csv'
import type { AnsweredQuery } from '#insights/answered-query'
import { queryFrom } from '#insights/text/query-text'
import { getProduct } from '#studio/product'
import { currentViewer } from '#studio/viewer'
import { askForViewer } from './ask'
import { titleFor } from './kinds'
import { fileResponse, textResponse } from '#studio/parts/file-response'
import { refusalIn } from '#studio/parts/refusals'

interface AnswerFileRequest {
  params: Promise<{ project: string; format: string }>
}

const writers = {
  csv: ({ table }: AnsweredQuery) => csvOf(table),
  json: ({ question, answer, table, approximate, at }: AnsweredQuery) =>
    JSON.stringify({ question, at, answer, ...table, ...(approximate && { approximate }) }, null, 2),
}

const formats = ['csv', 'json'] as const

/** The numbers behind an answer, as a file. */
export async function GET(request: Request, { params }: AnswerFileRequest): Promise<Response> {
  const { project: slug, format: named } = await params
  const format = formats.find((one) => one === named)
  const viewer = await currentViewer()
  if (!viewer) return textResponse(401, 'Sign in to Tilth first.')
  const project = projectNamed(slug, viewer)
  if (!project || !format) return textResponse(404, 'There is nothing here.')

  const { searchParams } = new URL(request.url)
  const query = queryFrom(searchParams.get('q') ?? undefined)
  if (query === undefined) return textResponse(400, 'The address asks no question. Copy all of it.')
  const outcome = await askForViewer(project.id, query, viewer, {
    signal: request.signal,
    showsMargin: true,
  })
  if (!outcome.done)
    return textResponse(
      outcome.isTrouble ? 503 : 422,
      outcome.problems.map(({ message }) => message).join(' '),
    )
  const name = searchParams.get('name') ?? titleFor(outcome.question)
  return fileResponse({ name, format, text: writers[format](outcome) })
}

function projectNamed(slug: string, viewer: NonNullable<Awaited<ReturnType<typeof currentViewer>>>) {
  try {
    return getProduct().projects.find(slug, viewer)
  } catch (problem) {
    if (refusalIn(problem)) return undefined
    throw problem
  }
}
