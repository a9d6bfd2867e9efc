/** Small drawings, which say nothing to screen readers: what they stand for is said beside them. */

const paths = {
  search: "M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2Zm4 9 3 3",
  filter: "M2 4h12M4.500 8h7M6.500 12h3",
  flag: "M4 14V2.500h8l-2 3 2 3H4",
  back: "M10 3 5 8l5 5",
  warning: "M8 2 1.500 13.500h13L8 2Zm0 4.500v3.500m0 1.800v.2",
  check: "m3 8.500 3.500 3.500L13 4.500",
  link: "M6.500 9.500l3-3M7 5l1.500-1.500a2.500 2.500 0 0 1 4 4L11 9M9 11l-1.500 1.500a2.500 2.500 0 0 1-4-4L5 7",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3v3.200l2 1.300",
  eye: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8Zm6.500-1.800a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600Z"
}

/** One of them. */
export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
