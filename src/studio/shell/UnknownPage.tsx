import { notFound } from 'next/navigation'

/** Any other address of a project: without this page, the site would answer for it, without the studio around. */
export const UnknownPage = () => notFound()
