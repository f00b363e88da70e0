import { NextResponse } from 'next/server'
import type { AnsweredQuery } from '#insights/answered-query'
import { getProduct } from '#studio/product'
import { currentViewer } from '#studio/viewer'
import { asText } from '#studio/parts/form-data'
import { askForViewer } from '#studio/insights/ask'
import { refusalIn } from '#studio/parts/refusals'
import type { SqlResult } from './sql-result'

/** Asked by the editor rather than by the page, so that going away stops the statement. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ project: string }> },
): Promise<Response> {
  const viewer = await currentViewer()
  if (!viewer) return jsonResponse(401, refused('Sign in to Tilth first.'))
  const project = projectNamed((await params).project, viewer)
  if (!project) return jsonResponse(404, refused('There is nothing here.'))
  const { text, period } = await requestedDraft(request)
  const query = { kind: 'sql' as const, text, ...(period !== undefined && { period }) }
  const outcome = await askForViewer(project.id, query, viewer, { isFresh: true, signal: request.signal })
  return jsonResponse(200, outcome.done ? rowsOf(outcome) : { ...outcome })
}

function rowsOf({ answer, tookMs }: AnsweredQuery<'sql'>): SqlResult {
  const { columns, rows, isCut, read } = answer
  return { done: true, columns, rows, isCut, rowsRead: read.rows, bytesRead: read.bytes, tookMs }
}

const refused = (message: string): SqlResult => ({ done: false, problems: [{ message }] })

/** Line ends as they were written: forms send them as e-mails have them. */
async function requestedDraft(request: Request): Promise<{ text: string; period: string | undefined }> {
  const form = await request.formData().catch(() => new FormData())
  const text = asText(form.get('text')).replaceAll('\r\n', '\n')
  return { text, period: asText(form.get('period')) || undefined }
}

function projectNamed(slug: string, viewer: NonNullable<Awaited<ReturnType<typeof currentViewer>>>) {
  try {
    return getProduct().projects.find(slug, viewer)
  } catch (problem) {
    if (refusalIn(problem)) return undefined
    throw problem
  }
}

const jsonResponse = (status: number, result: SqlResult): Response =>
  NextResponse.json(result, { status, headers: { 'cache-control': 'no-store' } })
