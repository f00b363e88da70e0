export { generateMetadata, PostHistoryPage as default } from '#studio/posts/history/PostHistoryPage'
