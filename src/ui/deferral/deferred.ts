'use client'

import { useState } from 'react'
import { assetFailed } from './asset-failed'

/** A module that is loaded when it is first needed, and once. */
export interface Deferred<Thing> {
  load: () => Promise<Thing>
  /** The loaded thing; undefined until `load` has resolved. */
  loaded: () => Thing | undefined
}

export function deferred<Thing>(fetchThing: () => Promise<Thing>): Deferred<Thing> {
  let loading: Promise<Thing> | undefined
  let thing: Thing | undefined

  const load = () =>
    (loading ??= fetchThing().then(
      (fetched) => (thing = fetched),
      (problem: unknown) => {
        // the next attempt asks again
        loading = undefined
        throw problem
      },
    ))
  return { load, loaded: () => thing }
}

/** Loads what may be needed soon. A failure changes nothing: the server may be away for a moment. */
export function loadAhead(thing: Deferred<unknown>): void {
  if (thing.loaded() !== undefined) return
  const listening = new AbortController()
  document.addEventListener(assetFailed, (event) => event.preventDefault(), { signal: listening.signal })
  thing.load().then(
    () => listening.abort(),
    () => listening.abort(),
  )
}

/** The handlers of a control that load its program when a person comes near it. */
export function nearnessOf(thing: Deferred<unknown>) {
  const prepare = () => loadAhead(thing)
  return { onPointerEnter: prepare, onTouchStart: prepare, onFocus: prepare }
}

/** The action of a person on a control before its program has loaded. */
export type Activation = { by: 'pointer' } | { by: 'keyboard'; key?: string } | { by: 'typing'; text: string }

/**
 * A control of which only the closed form is there at first. Its program is fetched when a person comes near it, and
 * takes its place when it is first used. `activate` says how. After a failure the next use loads it again.
 */
export function useDeferredControl<Control>(control: Deferred<Control>, onFailure?: () => void) {
  const [activation, setActivation] = useState<Activation>()
  const [Loaded, setLoaded] = useState<{ Control: Control }>()

  function activate(next: Activation) {
    setActivation(next)
    const Control = control.loaded()
    if (Control) setLoaded({ Control })
    else
      control.load().then(
        (fetched) => setLoaded({ Control: fetched }),
        () => {
          setActivation(undefined)
          onFailure?.()
        },
      )
  }

  return {
    Control: Loaded?.Control,
    activation,
    isLoading: activation !== undefined && Loaded === undefined,
    activate,
    nearness: nearnessOf(control),
  }
}

/** The activation behind a click: Enter and Space press a button without a pointer. */
export const activationOf = ({ detail }: { detail: number }): Activation =>
  detail === 0 ? { by: 'keyboard' } : { by: 'pointer' }
