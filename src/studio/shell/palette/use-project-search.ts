'use client'

import { useEffect, useRef, useState } from 'react'
import type { SearchAnswer, SearchResult } from '#search/result'
import { paths } from '#studio/paths'
import type { ThingReference } from './things'

interface ProjectSearch {
  results: readonly SearchResult[]
  typed: string
  /** The text that the results are about. */
  answered: string
  isTyped: boolean
  isSearching: boolean
  /** The part that the results lack, and the reason. */
  notice: string | undefined
  search: (typed: string) => void
}

const nothing: Omit<ProjectSearch, 'search'> = {
  results: [],
  typed: '',
  answered: '',
  isTyped: false,
  isSearching: false,
  notice: undefined,
}

/** Searches the things of a project while a member types. Without a project nothing is found. */
export function useProjectSearch(slug: string | undefined): ProjectSearch {
  const [state, setState] = useState(nothing)
  const requests = useRef<SearchRequests<SearchAnswer>>(undefined)

  useEffect(() => {
    if (slug === undefined) return undefined
    const current = new SearchRequests<SearchAnswer>({
      ask: (text, signal) => askProject(paths.search(slug, { text }), signal),
      onAnswer: ({ results, unavailable }, text) =>
        setState({
          results,
          typed: text,
          answered: text,
          isTyped: true,
          isSearching: false,
          notice: unavailable.length > 0 ? engineNotice : undefined,
        }),
      onFailure: () =>
        setState({ ...nothing, isTyped: true, notice: 'The server did not answer. Try again.' }),
    })
    requests.current = current
    return () => current.cancel()
  }, [slug])

  function search(typed: string) {
    const isTyped = typed.trim() !== ''
    const isSearching = isTyped && slug !== undefined
    // earlier results stay until the next answer: an empty list in between would flicker
    const shown = { typed: typed.trim(), isTyped, isSearching, notice: undefined }
    setState(({ results, answered }) => (isTyped ? { results, answered, ...shown } : nothing))
    requests.current?.type(typed)
  }

  return { ...state, search }
}

const engineNotice = 'People, events and properties cannot be searched now: the engine does not answer.'

/** The present names of things that were opened before. */
export function useNamedThings(
  slug: string | undefined,
  things: readonly ThingReference[],
): readonly SearchResult[] {
  const [named, setNamed] = useState<readonly SearchResult[]>([])
  const wanted = JSON.stringify(things)

  useEffect(() => {
    if (slug === undefined || wanted === '[]') return undefined
    const request = new AbortController()
    askProject(paths.search(slug, { things: wanted }), request.signal).then(
      ({ results }) => setNamed(results),
      // the list is then without recent things
      () => {},
    )
    return () => request.abort()
  }, [slug, wanted])

  return named
}

async function askProject(path: string, signal: AbortSignal): Promise<SearchAnswer> {
  const response = await fetch(path, { signal })
  if (!response.ok) throw new Error(`The search was answered with ${response.status}.`)
  return (await response.json()) as SearchAnswer // the route of this path writes it
}

/** A person who types pauses about so long between letters. */
export const pauseMs = 150

interface SearchRequestsOptions<Answer> {
  ask: (text: string, signal: AbortSignal) => Promise<Answer>
  onAnswer: (answer: Answer, text: string) => void
  onFailure: () => void
}

/** Sends one request for each pause of typing and cancels it once its text is out of date. */
export class SearchRequests<Answer> {
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: AbortController | undefined

  constructor(private readonly options: SearchRequestsOptions<Answer>) {}

  /** An empty text asks nothing. */
  type(text: string): void {
    this.cancel()
    if (text.trim() !== '') this.timer = setTimeout(() => void this.ask(text.trim()), pauseMs)
  }

  cancel(): void {
    clearTimeout(this.timer)
    this.running?.abort()
    this.running = undefined
  }

  private async ask(text: string): Promise<void> {
    const { ask, onAnswer, onFailure } = this.options
    const request = new AbortController()
    this.running = request
    try {
      const answer = await ask(text, request.signal)
      if (!request.signal.aborted) onAnswer(answer, text)
    } catch {
      if (!request.signal.aborted) onFailure()
    }
  }
}
