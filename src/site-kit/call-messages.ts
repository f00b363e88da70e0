import type { CallAnswer, CalledRequest, FormState, KitPageParams } from './protocol'
import type { KitProblem } from './kit-manifest'
import { locationOf } from './internal/runtime/page-exits'

/** Returns an address to which a route or a form may lead. */
export const redirectTarget = (address: string): string | undefined => locationOf(address)

/** The page of `app/(site)` that answers calls, and the header with what is called; the body is that of the request. */
export const callPath = '/_tilth/call'
export const callHeader = 'x-tilth-call'
/** The header of its response; the body is that of a route's answer. */
export const calledHeader = 'x-tilth-called'
/** The header with the result of a form, for the page that shows it. */
export const formHeader = 'x-tilth-form'

/** A request for a route of the site folder, or a form of one of its pages. */
export interface KitCall {
  kind: 'route' | 'form'
  file: string
  params: KitPageParams
  request: Omit<CalledRequest, 'body'>
}

type WithoutBody<Answer> = Answer extends { body: unknown } ? Omit<Answer, 'body'> : Answer

/** The answer of a module, without its body. A failure says what is wrong where a team is at work. */
export type KitCallAnswer = WithoutBody<CallAnswer> | { kind: 'failed'; problem?: KitProblem | undefined }

/** The result of a form that its page shows. */
export type FormResult = { state: FormState } | { isMissing: true } | { problem: KitProblem }

export const writeMessage = (message: KitCall | KitCallAnswer | FormResult): string =>
  Buffer.from(JSON.stringify(message)).toString('base64url')

/** Reads what the other process of Tilth has written with the function above; browsers cannot send these headers. */
const readMessage = (header: string): unknown => JSON.parse(Buffer.from(header, 'base64url').toString())

// each is written into its own header only
export const readCall = (header: string): KitCall => readMessage(header) as KitCall
export const readCallAnswer = (header: string): KitCallAnswer => readMessage(header) as KitCallAnswer
export const readFormResult = (header: string): FormResult => readMessage(header) as FormResult
