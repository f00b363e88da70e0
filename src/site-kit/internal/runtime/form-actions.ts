import { createHmac } from 'node:crypto'
import { useId } from 'react'
import type { FormState } from '../../protocol'
import { callLimits } from './call-limits'
import { actionField, stateField } from './form-fields'
import { currentContext } from './rendering'

/** A function of the team's that a form calls: with its fields, or with its state and its fields. */
type FormAction = (...given: readonly unknown[]) => unknown

interface KnownAction {
  call: FormAction
  /** The page that the action belongs to; undefined for one of a module that begins with 'use server'. */
  page: string | undefined
}

/** The fields that React draws into a form whose action has them (react-dom, `getCustomFormFields`). */
interface ActionFields {
  name: string
  method: 'POST'
  encType: 'multipart/form-data'
  action: string
  data: FormData | null
}

const known = new Map<string, KnownAction>()
const ids = new WeakMap<FormAction, string>()
let formKey = ''

export function setFormKey(key: string): void {
  formKey = key
}

/** The exports of a page that are not actions. */
const otherExports: ReadonlySet<string> = new Set(['default', 'generateStaticParams', 'metadata'])

/** Notes the functions that forms may call: all of a module for them, and the async ones of a page. */
export function noteActions(
  file: string,
  module: Readonly<Record<string, unknown>>,
  { isPage }: { isPage: boolean },
): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== 'function' || (isPage && (otherExports.has(name) || !isAsync(value)))) continue
    const call = value as FormAction // a function of any kind may be called
    if (ids.has(call)) continue
    const id = createHmac('sha256', formKey).update(`${file} ${name}`).digest('base64url').slice(0, 22)
    ids.set(call, id)
    known.set(id, { call, page: isPage ? file : undefined })
    Object.defineProperty(call, actionKey, { value: () => fieldsOf(id, null) })
  }
}

const isAsync = (value: object): boolean => Object.prototype.toString.call(value) === '[object AsyncFunction]'

const actionKey = '$$FORM_ACTION'

/** Whether React can draw a form that calls the function without a script. */
export const isFormAction = (value: unknown): boolean => typeof value === 'function' && actionKey in value

const fieldsOf = (id: string, data: FormData | null): ActionFields => ({
  name: actionField + id,
  method: 'POST',
  encType: 'multipart/form-data',
  action: currentContext().rendering.visit.path,
  data,
})

/**
 * The state of a form, and the action that changes it: React's own hook for pages that no script draws again. The state
 * travels in a field of the form, named by the form's place in the page as well, because two may have one action.
 */
export function useActionState(
  action: unknown,
  initial: unknown,
): [state: unknown, action: FormAction, isPending: false] {
  const id = typeof action === 'function' ? ids.get(action as FormAction) : undefined
  if (id === undefined) throw new Error(unknownAction)
  const form = useId()
  const { formState } = currentContext().rendering
  const isThisForm = formState?.action === id && formState.form === form
  const state = isThisForm ? formState.value : initial
  const data = new FormData()
  data.set(`${stateField}${id}:${form}`, textOfState(state))
  const submit = (): never => {
    throw new Error('The action of a form is called by the form only.')
  }
  Object.defineProperty(submit, actionKey, { value: () => fieldsOf(id, data) })
  return [state, submit, false]
}

export const unknownAction =
  "A form's action has to be an async function that its page exports, or an export of a file that begins with 'use server'."

function textOfState(state: unknown): string {
  const text = state === undefined ? '' : JSON.stringify(state)
  if (Buffer.byteLength(text) > callLimits.stateBytes)
    throw new Error(`The state of a form has at most ${callLimits.stateBytes / 1024} kB.`)
  return text
}

/** Calls the action that a form of the page names. Returns the new state of a form that has one. */
export async function callAction(
  page: string,
  form: FormData,
): Promise<{ state: FormState | undefined } | undefined> {
  // a button may have an action of its own, which stands after that of its form
  const id =
    [...form.keys()].findLast((name) => name.startsWith(actionField))?.slice(actionField.length) ?? ''
  const action = known.get(id)
  if (!action || (action.page !== undefined && action.page !== page)) return undefined
  const before = takeState(form, id)
  const value = await action.call(...(before ? [before.value, form] : [form]))
  if (!before || value === undefined) return { state: undefined }
  const state = JSON.parse(textOfState(value)) as FormState['value'] // JSON, as it was just written
  return { state: { action: id, form: before.form, value: state } }
}

/** Removes the hidden fields, and returns the state that was among them. */
function takeState(form: FormData, id: string): { form: string; value: unknown } | undefined {
  const names = [...form.keys()]
  const begins = `${stateField}${id}:`
  const field = names.find((name) => name.startsWith(begins)) ?? ''
  const written = form.get(field)
  for (const name of names) if (name.startsWith(actionField) || name.startsWith(stateField)) form.delete(name)
  if (typeof written !== 'string') return undefined
  return { form: field.slice(begins.length), value: parseState(written) }
}

/** A visitor may have written anything; the action gets what is JSON. */
function parseState(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
