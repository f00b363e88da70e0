import { NextResponse } from 'next/server'
import { csvOf } from '#insights/csv'
import type { AnsweredQuery } from '#insights/ask'
import { queryFrom } from '#insights/text/query-text'
import { titleFor } from '#insights/text/titles'
import { getProduct } from '#studio/product'
import { currentViewer } from '#studio/viewer'
import { askForViewer } from '#studio/insights/ask'
import { refusalIn } from '#studio/parts/refusals'

interface AnswerFileRequest {
  params: Promise<{ project: string; format: string }>
}

interface FileFormat {
  type: string
  write: (answered: AnsweredQuery) => string
}

const formats: Readonly<Record<string, FileFormat>> = {
  csv: { type: 'text/csv; charset=utf-8', write: ({ table }) => csvOf(table) },
  json: {
    type: 'application/json; charset=utf-8',
    write: ({ question, answer, table, at }) => JSON.stringify({ question, at, answer, ...table }, null, 2),
  },
}

/** The numbers behind an answer, as a file. */
export async function GET(request: Request, { params }: AnswerFileRequest): Promise<Response> {
  const { project: slug, format } = await params
  const writing = Object.hasOwn(formats, format) ? formats[format] : undefined
  const viewer = await currentViewer()
  if (!viewer) return textResponse(401, 'Sign in to Tilth first.')
  const project = projectNamed(slug, viewer)
  if (!project || !writing) return textResponse(404, 'There is nothing here.')

  const { searchParams } = new URL(request.url)
  const question = queryFrom(searchParams.get('q') ?? undefined)
  if (question === undefined) return textResponse(400, 'The address asks no question. Copy all of it.')
  const outcome = await askForViewer(project.id, question, viewer, { signal: request.signal })
  if (!outcome.done)
    return textResponse(
      outcome.isTrouble ? 503 : 422,
      outcome.problems.map(({ message }) => message).join(' '),
    )
  const name = fileName(searchParams.get('name') ?? titleFor(outcome.question), format)
  return new NextResponse(writing.write(outcome), {
    headers: {
      'content-type': writing.type,
      'content-disposition': `attachment; ${name}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function projectNamed(slug: string, viewer: NonNullable<Awaited<ReturnType<typeof currentViewer>>>) {
  try {
    return getProduct().projects.find(slug, viewer)
  } catch (problem) {
    if (refusalIn(problem)) return undefined
    throw problem
  }
}

const textResponse = (status: number, words: string): Response =>
  new NextResponse(`${words}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

/** In letters that every browser takes, and as it is written: RFC 6266. */
function fileName(name: string, format: string): string {
  const whole = `${
    name
      .replaceAll(/[\p{Cc}/\\:*?"<>|\s]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'answer'
  }.${format}`
  const plain = whole.replaceAll(/[^\x20-\x7e]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(whole.toWellFormed())}`
}
