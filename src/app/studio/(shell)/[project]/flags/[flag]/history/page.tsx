export { generateMetadata, FlagHistoryPage as default } from '#studio/flags/history/FlagHistoryPage'
