'use client'

import { useEffect } from 'react'

/** Titles the document while it is on the page: for what takes a page's place when the page has a title of its own. */
export function TitleWhileShown({ title }: { title: string }) {
  useEffect(() => {
    const own = document.createElement('title')
    own.textContent = title
    // The first title of a document counts, and React may yet put the page's before this one. It stays there for later.
    const comeFirst = () => document.querySelector('title') !== own && document.head.prepend(own)
    const newcomers = new MutationObserver(comeFirst)
    comeFirst()
    newcomers.observe(document.head, { childList: true })
    return () => {
      newcomers.disconnect()
      own.remove()
    }
  }, [title])

  return null
}
