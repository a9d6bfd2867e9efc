/** A bar for each day. */
import { barsOf, type Point, scaleTop, shortDate, weekdayDate } from "./Plot.ts"

interface Props {
  readonly label: string
  readonly points: ReadonlyArray<Point>
}

const height = 72

/** See above. `label` says in words what the plot shows. */
export const DayPlot = ({ label, points }: Props) => {
  const top = scaleTop(points.map(({ count }) => count))
  return (
    <div class="plot">
      <svg role="img" aria-label={label} width="100%" height={height + 1}>
        {[0, 0.5, 1].map((part) => (
          <line key={part} x1="0" x2="100%" y1={part * height + 0.5} y2={part * height + 0.5} class="grid-line" />
        ))}
        {barsOf(points, height, top).map(({ count, date, height: tall, width, x, y }) => (
          <g key={date} class="plot-day">
            <rect class="plot-hit" x={`${x}%`} y="0" width={`${width}%`} height={height}>
              <title>{`${weekdayDate(date)}: ${count}`}</title>
            </rect>
            <rect class="plot-bar" x={`${x + width * 0.14}%`} y={y} width={`${width * 0.72}%`} height={tall} rx="1" />
          </g>
        ))}
      </svg>
      <div class="plot-scale" aria-hidden="true">
        <span>{top}</span>
        <span>{top / 2}</span>
        <span>0</span>
      </div>
      <div class="plot-dates" aria-hidden="true">
        <span>{shortDate(points[0]?.date ?? "")}</span>
        <span>{shortDate(points.at(-1)?.date ?? "")}</span>
      </div>
    </div>
  )
}

/** The same without axes, for a cell of a table. */
export const Sparkline = ({ points, top }: Pick<Props, "points"> & { readonly top: number }) => (
  <svg class="sparkline" width="100%" height="16" aria-hidden="true">
    {barsOf(points, 16, top).map(({ date, height: tall, width, x, y }) => (
      <rect key={date} class="plot-bar" x={`${x + width * 0.1}%`} y={y} width={`${width * 0.8}%`} height={tall} />
    ))}
  </svg>
)
