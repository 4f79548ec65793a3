import androidx.recyclerview.widget.RecyclerView
import java.io.File
import kotlin.math.roundToInt

/** Records the scrolling of a list for `cellophane simulate --profile log:FILE`. Android reports the distance of each frame.
 *
 * Create it after the layout, with the list at its top: the pause until the first movement starts then. */
class ScrollRecorder(private val view: RecyclerView, device: String) : RecyclerView.OnScrollListener() {
  private val density = view.resources.displayMetrics.density
  private var offset = 0
  private val lines = mutableListOf(
    "# device=$device",
    "# viewport=${(view.width / density).toInt()}x${(view.height / density).toInt()}",
    "# density=$density", "# hz=${view.display.refreshRate.roundToInt()}", "t_ms,offset_px",
    "${System.nanoTime() / 1e6},0",
  )

  init { view.addOnScrollListener(this) }

  override fun onScrolled(view: RecyclerView, dx: Int, dy: Int) {
    offset += dy
    lines += "${System.nanoTime() / 1e6},${offset / density}"
  }

  fun write(file: File) = file.writeText(lines.joinToString("\n"))
}
