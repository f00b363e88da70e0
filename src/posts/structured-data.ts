import { excerptOf, readMarkdown } from './markdown'
import { type Author, addressOf, authorAddress, type Post } from './post'
import { absolute } from './reading/internal/feed-tree'
import type { Site } from './site'

/** Structured data for search engines about a post or a page, in the vocabulary of schema.org. */
export function structuredData(site: Site, post: Post, authors: readonly Author[]): Record<string, unknown> {
  const about = post.kind === 'post' ? posting(site, post, authors) : webPage(site, post)
  return { '@context': 'https://schema.org', '@graph': [webSite(site), about, ...breadcrumbs(site, post)] }
}

const webSite = (site: Site) => ({
  '@type': 'WebSite',
  '@id': `${site.origin}/#site`,
  url: `${site.origin}/`,
  name: site.name,
  ...(site.description && { description: site.description }),
  inLanguage: site.language,
  // servers of files do not search
  ...(site.staticServer === undefined && { potentialAction: searchAction(site) }),
})

const searchAction = ({ origin }: Site) => ({
  '@type': 'SearchAction',
  target: `${origin}/blog/search?q={search_term_string}`,
  'query-input': 'required name=search_term_string',
})

function posting(site: Site, post: Post, authors: readonly Author[]) {
  const address = site.origin + addressOf(post)
  const { words } = readMarkdown(post.body)
  return {
    '@type': 'BlogPosting',
    '@id': `${address}#post`,
    mainEntityOfPage: post.canonical || address,
    headline: (post.metaTitle || post.title).slice(0, maxHeadlineLength),
    description: post.metaDescription || excerptOf(post),
    datePublished: (post.publishedAt ?? post.createdAt).toISOString(),
    dateModified: post.changedAt.toISOString(),
    wordCount: words,
    inLanguage: site.language,
    isPartOf: { '@id': `${site.origin}/#site` },
    author: authors.length > 0 ? authors.map((author) => person(site, author)) : organization(site),
    publisher: organization(site),
    ...(post.tags.length > 0 && { keywords: post.tags.join(', ') }),
    // without a cover the picture that is drawn for it
    image: post.cover ? absolute(post.cover.address, site.origin) : `${address}/card.png`,
  }
}

/** Search engines cut longer headlines. */
const maxHeadlineLength = 110

const webPage = (site: Site, post: Post) => ({
  '@type': 'WebPage',
  '@id': `${site.origin}${addressOf(post)}#page`,
  url: site.origin + addressOf(post),
  name: post.metaTitle || post.title,
  description: post.metaDescription || excerptOf(post),
  dateModified: post.changedAt.toISOString(),
  inLanguage: site.language,
  isPartOf: { '@id': `${site.origin}/#site` },
})

const person = (site: Site, author: Author) => ({
  '@type': 'Person',
  name: author.name,
  url: site.origin + authorAddress(author.slug),
  ...(author.picture && { image: absolute(author.picture.address, site.origin) }),
  ...(author.links.length > 0 && { sameAs: author.links.map(({ address }) => address) }),
})

const organization = (site: Site) => ({
  '@type': 'Organization',
  name: site.name,
  url: `${site.origin}/`,
  ...(site.logo && { logo: absolute(site.logo, site.origin) }),
})

/** The path from the front page to here. The front page has none. */
function breadcrumbs(site: Site, post: Post): unknown[] {
  if (post.slug === '') return []
  const steps = [
    { name: site.name, path: '/' },
    ...(post.kind === 'post' ? [{ name: 'Blog', path: '/blog' }] : []),
    { name: post.title, path: addressOf(post) },
  ]
  const itemListElement = steps.map(({ name, path }, place) => ({
    '@type': 'ListItem',
    position: place + 1,
    name,
    item: site.origin + path,
  }))
  return [{ '@type': 'BreadcrumbList', itemListElement }]
}
