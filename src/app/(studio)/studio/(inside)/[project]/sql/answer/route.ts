import { NextResponse } from 'next/server'
import type { Answered } from '../../../../../../../insights/ask'
import { isSqlAnswer } from '../../../../../../../insights/sql-answer'
import { getProduct } from '../../../../../../product'
import { currentViewer } from '../../../../../../viewer'
import { textIn } from '../../../../../given'
import { askFor } from '../../../../../insights/ask'
import { refusalIn } from '../../../../../refusals'
import type { SqlTold } from '../telling'

/** Asked by the editor rather than by the page, so that going away stops the statement. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ project: string }> },
): Promise<Response> {
  const viewer = await currentViewer()
  if (!viewer) return said(401, refused('Sign in to Tilth first.'))
  const project = projectNamed((await params).project, viewer)
  if (!project) return said(404, refused('There is nothing here.'))
  const { text, period } = await given(request)
  const question = { kind: 'sql', text, ...(period !== undefined && { period }) }
  const asked = await askFor(project.id, question, viewer, { isFresh: true, signal: request.signal })
  return said(200, asked.done ? rowsOf(asked) : { ...asked })
}

function rowsOf({ answer, tookMs }: Answered): SqlTold {
  if (!isSqlAnswer(answer)) return refused('This was answered by something else than rows.')
  const { columns, rows, isCut, read } = answer
  return { done: true, columns, rows, isCut, rowsRead: read.rows, bytesRead: read.bytes, tookMs }
}

const refused = (message: string): SqlTold => ({ done: false, problems: [{ message }] })

/** Line ends as they were written: forms send them as e-mails have them. */
async function given(request: Request): Promise<{ text: string; period: string | undefined }> {
  const form = await request.formData().catch(() => new FormData())
  const text = textIn(form.get('text')).replaceAll('\r\n', '\n')
  return { text, period: textIn(form.get('period')) || undefined }
}

function projectNamed(slug: string, viewer: NonNullable<Awaited<ReturnType<typeof currentViewer>>>) {
  try {
    return getProduct().projects.find(slug, viewer)
  } catch (problem) {
    if (refusalIn(problem)) return undefined
    throw problem
  }
}

const said = (status: number, told: SqlTold): Response =>
  NextResponse.json(told, { status, headers: { 'cache-control': 'no-store' } })
