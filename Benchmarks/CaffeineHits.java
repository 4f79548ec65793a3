import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;

/** Counts the hits of Caffeine's cache. The arguments are a file with one id per line, and sizes. All work runs on one
 *  thread, without delayed maintenance. Each cache has a new random hash, so each size is played 20 times; the output
 *  is the minimum and the maximum of the hits. */
class CaffeineHits {
  public static void main(String[] arguments) throws Exception {
    long[] requests = Files.lines(Path.of(arguments[0])).mapToLong(Long::parseLong).toArray();
    for (int size = 1; size < arguments.length; size++) {
      long entries = Long.parseLong(arguments[size]);
      IntSummaryStatistics hits = IntStream.range(0, 20).map(run -> hits(requests, entries)).summaryStatistics();
      System.out.println(hits.getMin() + " " + hits.getMax());
    }
  }

  static int hits(long[] requests, long entries) {
    Cache<Long, Boolean> cache = Caffeine.newBuilder().maximumSize(entries).executor(Runnable::run).build();
    int hits = 0;
    for (long id : requests) {
      if (cache.getIfPresent(id) == null) {
        cache.put(id, true);
      } else {
        hits++;
      }
      cache.cleanUp();
    }
    return hits;
  }
}
