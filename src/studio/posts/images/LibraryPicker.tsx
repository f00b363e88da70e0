'use client'

import { useEffect, useState } from 'react'
import type { LibraryImage } from '#posts/pictures/image-library'
import { number, plural } from '#ui/format'
import { FormError } from '#ui/form/FormError'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { SearchBox } from '#studio/parts/SearchBox'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { findImages } from './actions'
import { ImageCard } from './ImageCard'
import { addressOfImage } from './image-facts'

interface LibraryPickerProps {
  slug: string
  /** The addresses of those that are chosen already, where several may be. */
  chosen?: readonly string[]
  onChoose: (image: LibraryImage) => void
}

/** The pictures of the library to choose from, found by name or alternative text. */
export function LibraryPicker({ slug, chosen, onChoose }: LibraryPickerProps) {
  const [search, setSearch] = useState('')
  const { images, total, problem } = useFoundImages(slug, search)
  return (
    <section aria-label="Library" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="w-full sm:w-72">
          <SearchBox
            label="Find an image"
            placeholder="Search by name or alt text"
            value={search}
            onSearch={setSearch}
          />
        </div>
        <output className="text-xs text-muted">{images && countText(images.length, total)}</output>
      </div>
      {problem && <FormError title={problem} />}
      {!images && !problem && (
        <Loading label="Loading images">
          <Skeleton className="h-40 w-full" />
        </Loading>
      )}
      {images?.length === 0 && (
        <p className="py-6 text-center text-muted">
          {search === '' ? 'No images in the library yet.' : 'No image matches.'}
        </p>
      )}
      <ul className="grid grid-cols-2 gap-3 empty:hidden sm:grid-cols-3">
        {images?.map((image) => (
          <li key={image.file} className="min-w-0">
            <ImageCard
              image={image}
              aria-pressed={chosen?.includes(addressOfImage(image))}
              onClick={() => onChoose(image)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const countText = (shown: number, total: number): string =>
  shown < total
    ? `The latest ${number(shown)} of ${number(total)}. Search for others.`
    : plural(total, 'image')

interface FoundImages {
  images?: readonly LibraryImage[]
  total: number
  problem?: string
}

const nothingFound: FoundImages = { total: 0 }

/** The last results stay until the next answer; an answer to an earlier search is dropped. */
function useFoundImages(slug: string, search: string): FoundImages {
  const [found, setFound] = useState(nothingFound)
  useEffect(() => {
    let isCurrent = true
    const find = async () => {
      const answer = await withNetworkErrors(() => findImages(slug, search))
      if (!isCurrent) return
      setFound(answer.done ? answer : { total: 0, problem: answer.problems[0]?.message ?? 'Try again.' })
    }
    void find()
    return () => {
      isCurrent = false
    }
  }, [slug, search])
  return found
}
