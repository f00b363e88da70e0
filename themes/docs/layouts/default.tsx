import type { DefaultLayoutProps } from '@tilth/site'
import SearchBox from '../components/SearchBox'
import Sidebar from '../components/Sidebar'

/** The sidebar stands before the page, beside it where there is room. */
export default function Default({ header, footer, children, contents, words }: DefaultLayoutProps) {
  return (
    <>
      {header}
      {contents ? (
        <div className="docs">
          <div className="docs-side">
            <SearchBox words={words} />
            <Sidebar contents={contents} words={words} />
          </div>
          <div className="docs-main">{children}</div>
        </div>
      ) : (
        children
      )}
      {footer}
    </>
  )
}
