import type { PageLayoutProps } from '@tilth/site'

/** Blocks such as `:::hero` and `:::features` are as wide as the page; what stands between them is as wide as a text. */
export default function Page({ head, children }: PageLayoutProps) {
  return (
    <article className="post page product-page">
      {head}
      {children}
    </article>
  )
}
