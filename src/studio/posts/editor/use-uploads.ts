'use client'

import { useCallback, useState } from 'react'
import type { Picture } from '#posts/post'
import { upload, type UploadResult } from './upload'

/** Pictures on their way to the server, and those that have arrived. */
export function useUploads(slug: string) {
  const [pictures, setPictures] = useState<Picture[]>([])
  const [problems, setProblems] = useState<string[]>([])
  const [sending, setSending] = useState(0)

  const add = useCallback(
    async (files: readonly File[]) => {
      setProblems([])
      setSending((before) => before + files.length)
      await Promise.all(
        files.map(async (file) => {
          const uploaded = await upload(slug, file)
          setSending((before) => before - 1)
          if (uploaded.done) setPictures((before) => withOne(before, uploaded))
          else setProblems((before) => [...before, `${file.name}: ${uploaded.message}`])
        }),
      )
    },
    [slug],
  )

  return {
    pictures,
    problems,
    isSending: sending > 0,
    add,
    /** Takes a picture of the library in, or out again. */
    toggle: (picture: Picture) =>
      setPictures((before) =>
        before.some(({ address }) => address === picture.address)
          ? before.filter(({ address }) => address !== picture.address)
          : [...before, picture],
      ),
    describe: (index: number) => (alt: string) =>
      setPictures((before) => before.map((one, at) => (at === index ? { ...one, alt } : one))),
    remove: (index: number) => () => setPictures((before) => before.toSpliced(index, 1)),
  }
}

/** The same picture twice is one. */
const withOne = (before: Picture[], { picture }: Extract<UploadResult, { done: true }>): Picture[] =>
  before.some(({ address }) => address === picture.address) ? before : [...before, { ...picture, alt: '' }]
